#!/bin/sh
# Plays session.lua in a headless Neovim: run.sh [PATH-TO-KLS], bin/kls by default. $NVIM names another Neovim than the one in $PATH.
# Prints a line for each thing that was tried; with VERBOSE=1 also what was seen.
set -eu
here=$(dirname "$(realpath "$0")")
kls=$(realpath "${1:-$here/../../../bin/kls}")
if ! command -v "${NVIM:-nvim}" >/dev/null; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq neovim >/dev/null
fi
TREE=
trap 'rm -rf "$TREE"' EXIT
exec 3>&1
play() { # the script that writes the tree
  rm -rf "$TREE"
  TREE=$(mktemp -d)
  "$1" "$TREE" "$kls"
  export TREE
  (cd "$TREE" && PATH=$TREE/bin:$PATH "${NVIM:-nvim}" --headless --clean -n --cmd "set runtimepath^=$here/.." -c "luafile $here/session.lua")
}
play "$here/../../tree.sh"
FLEET=1 play "$here/../../fleet.sh"
