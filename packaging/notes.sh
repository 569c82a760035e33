#!/bin/sh
# Prints what CHANGELOG.md says of a version: notes.sh 0.1.0, or notes.sh Unreleased. Fails where it says nothing.
set -eu
version=${1:?usage: notes.sh VERSION}
awk -v heading="## ${version#v}" '
  /^## / { inside = ($2 == substr(heading, 4)); next }
  inside { print; if (NF) found = 1 }
  END { exit !found }
' "$(dirname "$0")/../CHANGELOG.md" || { echo "CHANGELOG.md says nothing of $version" >&2; exit 1; }
