#!/bin/sh
# Plays sessions in a batch Emacs, with eglot and with lsp-mode: run.sh [PATH-TO-KLS], bin/kls by default. Prints a line for each thing
# that was tried; with VERBOSE=1 also what was seen.
set -eu
here=$(dirname "$(realpath "$0")")
kls=$(realpath "${1:-$here/../../../bin/kls}")
packages='emacs-nox elpa-eglot elpa-lsp-mode elpa-yaml-mode'
if ! dpkg -s $packages >/dev/null 2>&1; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $packages >/dev/null
fi
status=0
for client in eglot lsp-mode; do
  TREE=$(mktemp -d)
  "$here/../../tree.sh" "$TREE" "$kls"
  (cd "$TREE" && TREE=$TREE HOME=$TREE PATH=$TREE/bin:$PATH emacs --batch --load "$here/$client.el" 2>"$TREE/messages") ||
    { status=1; cat "$TREE/messages"; }
  rm -rf "$TREE"
done
exit $status
