#!/bin/sh
# Plays session.vim in Vim with ALE, both Debian's: run.sh [PATH-TO-KLS], bin/kls by default. Prints a line for each thing that was
# tried; with VERBOSE=1 also what was seen.
set -eu
here=$(dirname "$(realpath "$0")")
kls=$(realpath "${1:-$here/../../../bin/kls}")
if ! dpkg -s vim vim-ale >/dev/null 2>&1; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq vim vim-ale >/dev/null
fi
TREE=$(mktemp -d)
trap 'rm -rf "$TREE"' EXIT
"$here/../../tree.sh" "$TREE" "$kls"
export TREE PATH="$TREE/bin:$PATH" HOME="$TREE" CONFIGURATION="$here/.."
status=0
vim -N -n -i NONE -u NONE --not-a-term -T dumb -c "source $here/session.vim" </dev/null >"$TREE/screen" 2>&1 || status=$?
cat "$TREE/session.txt"
exit $status
