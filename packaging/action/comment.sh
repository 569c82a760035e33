#!/usr/bin/env bash
# Keeps one comment of a pull request up to date with what changes in the rendered resources: the comment is known by a
# marker, and made when something changes for the first time.
set -euo pipefail
marker='<!-- kls diff -->'
since=${KLS_SINCE:-origin/${GITHUB_BASE_REF:?}...}
body=$(mktemp)
trap 'rm -f "$body" "$body.diff"' EXIT
if ! kls diff "--since=$since" --format markdown -o "$body.diff"; then
  echo "::warning::kls could not compare what is rendered; see the log of this step"
  exit 0
fi
{ echo "$marker"; cat "$body.diff"; } > "$body"
comments="repos/${GITHUB_REPOSITORY:?}/issues/${KLS_PULL_REQUEST:?}/comments"
known=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
if [ -n "$known" ]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$known" -F "body=@$body" >/dev/null
elif [ -n "$(kls affected --exact "--since=$since")" ]; then
  gh api --method POST "$comments" -F "body=@$body" >/dev/null
fi
