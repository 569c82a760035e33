#!/bin/sh
# Writes a kustomize tree with a mistake into a folder, as a repository of git, and a link to a kls into its bin:
# tree.sh FOLDER KLS. An overlay has a patch whose target has a typo, and a replacement into a JSON document.
set -eu
folder=$1 kls=$2
mkdir -p "$folder/bin" "$folder/base" "$folder/overlay"
ln -s "$kls" "$folder/bin/kls"
cat >"$folder/base/kustomization.yaml" <<'END'
resources:
- deploy.yaml
- settings.yaml
END
cat >"$folder/base/deploy.yaml" <<'END'
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
cat >"$folder/base/settings.yaml" <<'END'
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  config.json: '{"database": {"host": "localhost", "port": 5432}}'
END
cat >"$folder/overlay/kustomization.yaml" <<'END'
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
git -C "$folder" init --quiet
