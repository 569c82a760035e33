#!/usr/bin/env bash
# Installs what the extension and its tests need, and runs them: the unit tests, then the extension in a real VS Code.
# KLS_TEST_CACHE is a folder in which VS Code is kept; FILTER chooses among the tests in VS Code.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
cache=${KLS_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kls-test}

command -v node >/dev/null || { echo "FAIL vscode: Node 20 or newer is needed" >&2; exit 1; }
npm ci --no-audit --no-fund --loglevel=error >/dev/null
echo "ok vscode: npm ci"

node test/audit.mjs

npm run --silent types
echo "ok vscode: types"
mkdir -p dist
npm run --silent unit >dist/unit.txt || { cat dist/unit.txt; echo "FAIL vscode: unit tests"; exit 1; }
echo "ok vscode: $(grep -oP '^# pass \K.*' dist/unit.txt) unit tests"

case $(uname -m) in x86_64) target=linux-x64 ;; aarch64) target=linux-arm64 ;; *) echo "no target for $(uname -m)" >&2; exit 1 ;; esac
node scripts/package.mjs "$target" universal >dist/packages.txt
{ read -r vsix; read -r universal; } <dist/packages.txt
echo "ok vscode: $(basename "$vsix"), $(basename "$universal")"
unzip -p "$vsix" extension/bin/kls >dist/kls && chmod +x dist/kls
test/e2e/install.sh "$cache/code-server"
node test/e2e/run.mjs "$cache/code-server" "$vsix" "$universal" "$PWD/dist/kls" ${FILTER:+"$FILTER"}
