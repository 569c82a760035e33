#!/bin/sh
# Runs session.lua in a headless Neovim: session.sh PATH-TO-KLS
set -eu
KLS=$(realpath "${1:-kls}")
here=$(dirname "$(realpath "$0")")
TREE=$(mktemp -d)
trap 'rm -rf "$TREE"' EXIT
mkdir "$TREE/base" "$TREE/overlay"
cat >"$TREE/base/kustomization.yaml" <<'END'
resources:
- deploy.yaml
END
cat >"$TREE/base/deploy.yaml" <<'END'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # größer 💙
spec:
  replicas: 1
END
cat >"$TREE/overlay/kustomization.yaml" <<'END'
# größer 💙
resources:
- ../base
patches:
- target:
    kind: Deployment
    name: wbe
  patch: |-
    - {op: replace, path: /spec/replicas, value: 3}
END
export KLS TREE
cd "$TREE"
nvim --headless --clean -n -c "luafile $here/session.lua"
