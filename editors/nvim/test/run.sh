#!/bin/sh
# Plays session.lua in a headless Neovim: run.sh [PATH-TO-KLS], bin/kls by default. $NVIM names another Neovim than the one in $PATH.
# Prints a line for each thing that was tried; with VERBOSE=1 also what was seen.
set -eu
here=$(dirname "$(realpath "$0")")
kls=$(realpath "${1:-$here/../../../bin/kls}")
if ! command -v "${NVIM:-nvim}" >/dev/null; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq neovim >/dev/null
fi
TREE=$(mktemp -d)
trap 'rm -rf "$TREE"' EXIT
"$here/../../tree.sh" "$TREE" "$kls"
export TREE
PATH=$TREE/bin:$PATH
cd "$TREE"
exec 3>&1
"${NVIM:-nvim}" --headless --clean -n --cmd "set runtimepath^=$here/.." -c "luafile $here/session.lua"
