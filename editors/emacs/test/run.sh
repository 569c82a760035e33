#!/bin/sh
# Plays session.el in a batch Emacs with eglot: run.sh [PATH-TO-KLS], bin/kls by default. Prints a line for each thing that was tried; with
# VERBOSE=1 also what was seen.
set -eu
here=$(dirname "$(realpath "$0")")
kls=$(realpath "${1:-$here/../../../bin/kls}")
if ! dpkg -s emacs-nox elpa-eglot elpa-yaml-mode >/dev/null 2>&1; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq emacs-nox elpa-eglot elpa-yaml-mode >/dev/null
fi
TREE=$(mktemp -d)
trap 'rm -rf "$TREE"' EXIT
mkdir "$TREE/bin" "$TREE/base" "$TREE/overlay"
ln -s "$kls" "$TREE/bin/kls"
cat >"$TREE/base/kustomization.yaml" <<'END'
resources:
- service.yaml
END
cat >"$TREE/base/service.yaml" <<'END'
apiVersion: v1
kind: Service
metadata:
  name: web # größer 💙
spec:
  type: ClusterIP
END
cat >"$TREE/overlay/kustomization.yaml" <<'END'
# größer 💙
resources:
- ../base
patches:
- target:
    kind: Service
    name: wbe
  patch: |-
    - {op: replace, path: /spec/type, value: NodePort}
END
git -C "$TREE" init --quiet
export TREE
PATH=$TREE/bin:$PATH
cd "$TREE"
emacs --batch --load "$here/session.el"
