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
mkdir "$TREE/bin" "$TREE/base" "$TREE/overlay"
ln -s "$kls" "$TREE/bin/kls"
cat >"$TREE/base/kustomization.yaml" <<'END'
resources:
- deploy.yaml
- settings.yaml
END
cat >"$TREE/base/deploy.yaml" <<'END'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # größer 💙
spec:
  replicas: 1
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: shop/web:1
        envFrom:
        - configMapRef: {name: settings}
END
cat >"$TREE/base/settings.yaml" <<'END'
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  config.json: '{"database": {"host": "localhost", "port": 5432}}'
END
cat >"$TREE/overlay/kustomization.yaml" <<'END'
# größer 💙
resources:
- ../base
namePrefix: prod-
patches:
- target:
    kind: Deployment
    name: wbe
  patch: |-
    - {op: replace, path: /spec/replicas, value: 3}
replacements:
- sourceValue: db.example.com
  targets:
  - select: {kind: ConfigMap}
    fieldPaths:
    - data.config\.json.database.host
END
export TREE
PATH=$TREE/bin:$PATH
cd "$TREE"
exec 3>&1
"${NVIM:-nvim}" --headless --clean -n --cmd "set runtimepath^=$here/.." -c "luafile $here/session.lua"
