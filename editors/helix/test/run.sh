#!/bin/bash
# Plays a session in Helix, in a terminal of tmux, and reads the screen: run.sh [PATH-TO-KLS], bin/kls by default. $HX names another
# Helix than hx in $PATH. Prints a line for each thing that was tried; with VERBOSE=1 also the screens.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
kls=$(realpath "${1:-$here/../../../bin/kls}")
hx=${HX:-hx}
if ! command -v "$hx" >/dev/null; then
  apt-get update -qq || true
  if ! apt-cache policy hx 2>/dev/null | grep -q 'Candidate: [0-9]'; then
    echo "--   helix: not tried, this system has no package of it (Debian has one from 13 on)"
    exit 0
  fi
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq hx >/dev/null
fi
command -v tmux >/dev/null || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tmux >/dev/null; }

TREE=$(mktemp -d)
socket=$TREE/tmux
trap 'tmux -S "$socket" kill-server 2>/dev/null || true; rm -rf "$TREE"' EXIT
"$here/../../tree.sh" "$TREE" "$kls"
mkdir -p "$TREE/.config/helix"
cp "$here/../languages.toml" "$TREE/.config/helix"
tmux -S "$socket" -f /dev/null new-session -d -x 150 -y 40 \
  "cd $TREE && HOME=$TREE XDG_CONFIG_HOME=$TREE/.config PATH=$TREE/bin:\$PATH LANG=C.UTF-8 $hx overlay/kustomization.yaml:8:11"

failed=0
keys() { tmux -S "$socket" send-keys "$@"; }
screen() { tmux -S "$socket" capture-pane -p 2>/dev/null; }
# shows WHAT TEXT waits until the screen has the text: long, since other programs may keep the machine busy.
shows() {
  for ((tries = 0; tries < 300; tries++)); do
    if grep -qF "$2" <<<"$(screen)"; then
      echo "ok   helix: $1"
      [ "${VERBOSE:-}" != 1 ] || screen
      return
    fi
    sleep 0.2
  done
  echo "FAIL helix: $1"
  screen
  failed=1
}

# escape closes what shows a text: a key that comes too soon behind Escape would be another one.
escape() {
  keys Escape
  for ((tries = 0; tries < 300; tries++)); do grep -qF "$1" <<<"$(screen)" || return 0; sleep 0.2; done
  echo "FAIL helix: $1 goes"
  failed=1
}

shows 'diagnostics' 'no Deployment is named "wbe"'
keys Space a
shows 'code action' 'Change to web'
keys Enter
shows 'the fix is applied' '    name: web'
keys Space k
shows 'hover on a patch' 'replicas: 3'
escape '+   replicas: 3'
keys 16G f . Space k
shows 'hover on a replacement has the value before' 'localhost'
escape localhost
keys 8G f w g d
shows 'definition' 'web # größer'
exit $failed
