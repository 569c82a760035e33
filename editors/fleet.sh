#!/bin/sh
# Writes a tree that Flux deploys into a folder, as a repository of git, and a link to a kls into its bin: fleet.sh FOLDER KLS.
# One Kustomization deploys the objects in apps, and patches them; that of web supplies a variable to the folder storefront.
set -eu
folder=$1 kls=$2
mkdir -p "$folder/bin" "$folder/clusters" "$folder/apps" "$folder/storefront"
ln -s "$kls" "$folder/bin/kls"
cat >"$folder/clusters/cluster.yaml" <<'END'
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: cluster
  namespace: flux-system
spec:
  path: ./apps
  prune: true
  sourceRef:
    kind: GitRepository
    name: fleet
END
cat >"$folder/apps/kustomization.yaml" <<'END'
namespace: apps
resources:
- web.yaml
END
cat >"$folder/apps/web.yaml" <<'END'
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: web
spec:
  path: ./storefront
  prune: true
  targetNamespace: shop
  sourceRef:
    kind: GitRepository
    name: fleet
    namespace: flux-system
  postBuild:
    substitute:
      PORT: "8080"
END
cat >"$folder/storefront/kustomization.yaml" <<'END'
resources:
- service.yaml
END
cat >"$folder/storefront/service.yaml" <<'END'
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
  - port: ${PORT}
END
git -C "$folder" init -q
