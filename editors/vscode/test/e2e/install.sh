#!/usr/bin/env bash
# Puts a real VS Code (code-server, from the npm registry) on a machine with Node 20 and, where it is Debian, the
# packages that it needs. Prints nothing; repeatable. usage: install.sh FOLDER
set -euo pipefail
folder=${1:?usage: install.sh FOLDER}
version=4.100.3 # the newest that runs on Node 20

missing=()
for program in chromium rg g++ make pkg-config git unzip; do
  command -v "$program" >/dev/null || missing+=("$program")
done
for library in krb5-gssapi x11 xkbfile libsecret-1; do
  pkg-config --exists "$library" 2>/dev/null || missing+=("$library")
done
if ((${#missing[@]})); then
  if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "the test in VS Code needs: ${missing[*]}" >&2
    exit 1
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium ripgrep git unzip g++ make pkg-config \
    libkrb5-dev libx11-dev libxkbfile-dev libsecret-1-dev >/dev/null
fi

mkdir -p "$folder" && cd "$folder"
[ -f .installed-$version ] && exit 0
npm_quietly() { npm "$@" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null; }
[ -f package.json ] || echo '{"private": true}' >package.json
# Install scripts are skipped: that of ripgrep would download from outside of the registry. The native parts are built here.
npm_quietly install "code-server@$version"
server=$PWD/node_modules/code-server/lib/vscode
(cd "$server" && npm_quietly install --omit=dev && ln -sfn node_modules node_modules.asar)
gyp=$(npm root -g)/npm/node_modules/node-gyp/bin/node-gyp.js
headers=$(dirname "$(dirname "$(realpath "$(command -v node)")")")
build_native() { (cd "$1" && shift && node "$@" --nodedir="$headers" >build.log 2>&1) || { cat "$1/build.log" >&2; return 1; }; }
for module in node-pty @vscode/spdlog native-watchdog kerberos @vscode/deviceid; do
  if [ -f "$server/node_modules/$module/binding.gyp" ]; then build_native "$server/node_modules/$module" "$gyp" rebuild; fi
done
mkdir -p .bin && ln -sfn "$gyp" .bin/node-gyp
PATH="$PWD/.bin:$PATH" build_native "$PWD/node_modules/argon2" "$PWD/node_modules/.bin/node-pre-gyp" rebuild --build-from-source
# VS Code looks for kustomization.yaml in a workspace with ripgrep.
mkdir -p "$server/node_modules/@vscode/ripgrep/bin"
ln -sfn "$(command -v rg)" "$server/node_modules/@vscode/ripgrep/bin/rg"
touch .installed-$version
