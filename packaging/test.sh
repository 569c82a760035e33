#!/bin/bash
# Builds the image of Containerfile and runs it: test.sh. Base images come from the network, so a small one of its own stands in for
# Alpine, with busybox's shell and a package manager that only writes down what it is asked for; the rest is as it is released.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
packages=(buildah busybox-static)
if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi
work=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
image() { buildah --root "$work/images" --runroot "$work/run" "$@"; }
trap 'image rm --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

mkdir -p "$work/base" "$work/context/linux/amd64"
cp "$(command -v busybox)" "$work/base/busybox"
printf '#!/bin/sh\necho "$@" >>/apk\n' >"$work/base/apk"
chmod +x "$work/base/apk"
printf 'FROM scratch\nCOPY busybox /bin/sh\nCOPY busybox /bin/cat\nCOPY apk /sbin/apk\n' >"$work/base/Containerfile"
image bud -q -t base "$work/base" >/dev/null

CGO_ENABLED=0 go build -trimpath -o "$work/context/linux/amd64/kls" ./cmd/kls
image bud -q --from localhost/base --platform linux/amd64 -t kls -f packaging/Containerfile "$work/context" >/dev/null
echo "ok   image: built"

failed=0
check() { if [ "$2" = "$3" ]; then echo "ok   image: $1"; else echo "FAIL image: $1: $2"; failed=1; fi; }
config() { image inspect --type image --format "{{.OCIv1.Config.$1}}" kls; }
check 'what it runs' "$(config Entrypoint) $(config Cmd)" '[/usr/local/bin/kls] [check]'
check 'where it runs' "$(config WorkingDir)" /work

container=$(image from --pull-never localhost/kls)
check 'git is asked for' "$(image run "$container" cat /apk)" 'add --no-cache git'
status=0
image run -v "$PWD/examples/mistakes:/work:ro" "$container" /usr/local/bin/kls check >"$work/findings" 2>"$work/errors" || status=$?
check 'a mounted tree is checked' "$status $(grep -c 'patch-no-match' "$work/findings")" '1 1'
exit $failed
