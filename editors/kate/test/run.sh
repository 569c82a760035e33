#!/bin/bash
# Opens a file in Kate, in a window that nobody sees, and reads what Kate and kls say to each other: run.sh [PATH-TO-KLS], bin/kls by
# default. Prints a line for each thing that was tried. $PICTURE names a PNG for a picture of the screen, which needs imagemagick.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
kls=$(realpath "${1:-$here/../../../bin/kls}")
packages=(kate xvfb xauth dbus-x11)
if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

TREE=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$TREE"' EXIT
"$here/../../tree.sh" "$TREE" "$kls"
# What goes in and out of the server is written down.
rm "$TREE/bin/kls"
printf '#!/bin/sh\ntee "%s/in" | "%s" "$@" | tee "%s/out"\n' "$TREE" "$kls" "$TREE" >"$TREE/bin/kls"
chmod +x "$TREE/bin/kls"
mkdir -p "$TREE/config/kate/lspclient"
cp "$here/../settings.json" "$TREE/config/kate/lspclient/settings.json"
printf '[Kate Plugins]\nlspclientplugin=true\n\n[lspclient]\nAllowedServerCommandLines=%s/bin/kls lsp\n' "$TREE" >"$TREE/config/katerc"

export HOME=$TREE XDG_CONFIG_HOME=$TREE/config XDG_CACHE_HOME=$TREE/cache XDG_DATA_HOME=$TREE/data XDG_RUNTIME_DIR=$TREE PATH=$TREE/bin:$PATH
mkfifo "$TREE/display"
Xvfb -displayfd 3 -screen 0 1100x700x24 -nolisten tcp 3<>"$TREE/display" >/dev/null 2>&1 &
read -r display <"$TREE/display"
export DISPLAY=:$display
dbus-run-session -- kate --startanon --line 8 --column 11 "$TREE/overlay/kustomization.yaml" >"$TREE/kate" 2>&1 &

failed=0
# says WHAT FILE TEXT waits until a file of the talk has a text: long, since other programs may keep the machine busy.
says() {
  for ((tries = 0; tries < 300; tries++)); do
    if grep -qsF "$3" "$TREE/$2"; then echo "ok   kate: $1"; return; fi
    sleep 0.2
  done
  echo "FAIL kate: $1"
  cat "$TREE/kate"
  failed=1
}
says 'attach' in '"textDocument/didOpen"'
says 'the overlay is open' in 'overlay/kustomization.yaml'
says 'diagnostics' out 'no Deployment is named \"wbe\"'
if [ -n "${PICTURE:-}" ]; then
  sleep 2 # Kate draws what it was told
  import -window root "$PICTURE"
fi
exit $failed
