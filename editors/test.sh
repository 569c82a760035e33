#!/usr/bin/env bash
# Runs the tests of every editor that has some, and fails where one does. Each prints a line for each thing tried.
# usage: test.sh [EDITOR…]
set -uo pipefail
cd "$(dirname "$(realpath "$0")")"
failed=()
for script in */test/run.sh; do
  editor=${script%%/*}
  if (($#)) && [[ " $* " != *" $editor "* ]]; then continue; fi
  echo "== $editor"
  "$script" || failed+=("$editor")
done
((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; exit 1; }
