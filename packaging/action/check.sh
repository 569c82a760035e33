#!/usr/bin/env bash
# Checks what the action was asked to, with annotations on standard output and, if wanted, a SARIF report. What it gets
# comes in variables and never in the text of a command: branch names are written by strangers.
set -euo pipefail
arguments=(check --format github --fail-on "${KLS_FAIL_ON:-error}")
since=${KLS_SINCE:-}
if [ -z "$since" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then
  since="origin/$GITHUB_BASE_REF..."
fi
if [ -n "$since" ]; then
  arguments+=("--since=$since")
fi
if [ -n "${KLS_SARIF:-}" ]; then
  arguments+=("--format=sarif:$KLS_SARIF")
fi
paths=()
while IFS= read -r path; do
  if [ -n "$path" ]; then paths+=("$path"); fi
done <<<"${KLS_PATHS:-.}"
exec kls "${arguments[@]}" -- "${paths[@]}"
