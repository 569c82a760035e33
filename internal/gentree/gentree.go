// Package gentree makes kustomize trees of any size, for measurements: a base of many small applications, one file a
// resource, and an overlay that touches every one of them.
package gentree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Overlay is the folder, below the tree's root and with forward slashes, that is to be built.
const Overlay = "overlay"

// Resources returns how many resources the overlay of a tree of that many applications renders: a Deployment, a
// Service, a ServiceAccount and a ConfigMap each, and one Namespace for all.
func Resources(apps int) int { return 4*apps + 1 }

// Files returns the tree, by path below its root with forward slashes. The same number gives the same bytes.
func Files(apps int) map[string][]byte {
	files := map[string][]byte{
		Overlay + "/kustomization.yaml": []byte(overlay),
		Overlay + "/resources.yaml":     []byte(resourcesPatch),
		"base/namespace.yaml":           []byte(namespace),
	}
	var list strings.Builder
	list.WriteString("resources:\n- namespace.yaml\n")
	for number := 1; number <= apps; number++ {
		name := fmt.Sprintf("app-%04d", number)
		for _, file := range []struct{ kind, text string }{
			{"deployment", deployment},
			{"service", service},
			{"serviceaccount", serviceAccount},
			{"configmap", configMap},
		} {
			path := name + "/" + file.kind + ".yaml"
			files["base/"+path] = []byte(strings.ReplaceAll(file.text, "APP", name))
			fmt.Fprintf(&list, "- %s\n", path)
		}
	}
	files["base/kustomization.yaml"] = []byte(list.String())
	return files
}

// Write puts the tree into a folder of the disk.
func Write(folder string, apps int) error { return WriteFiles(folder, Files(apps)) }

// WriteFiles puts files, by path with forward slashes, into a folder of the disk.
func WriteFiles(folder string, files map[string][]byte) error {
	for path, text := range files {
		target := filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

const overlay = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: measured
namePrefix: big-
resources:
- ../base
images:
- name: registry.example.com/app
  newTag: "2.0"
patches:
- path: resources.yaml
  target:
    kind: Deployment
replacements:
- source:
    kind: Namespace
    fieldPath: metadata.annotations.region
  targets:
  - select:
      kind: ConfigMap
    fieldPaths:
    - data.config\.json.cluster.region
`

const resourcesPatch = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: any
spec:
  template:
    spec:
      containers:
      - name: app
        resources:
          limits:
            memory: 256Mi
          requests:
            cpu: 100m
            memory: 128Mi
`

const namespace = `apiVersion: v1
kind: Namespace
metadata:
  name: measured
  annotations:
    region: eu-west-3
`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: APP
  labels:
    app: APP
spec:
  replicas: 2
  selector:
    matchLabels:
      app: APP
  template:
    metadata:
      labels:
        app: APP
    spec:
      serviceAccountName: APP
      containers:
      - name: app
        image: registry.example.com/app:1.0
        ports:
        - name: http
          containerPort: 8080
        env:
        - name: MODE
          value: production
        volumeMounts:
        - name: config
          mountPath: /etc/app
      volumes:
      - name: config
        configMap:
          name: APP
`

const service = `apiVersion: v1
kind: Service
metadata:
  name: APP
  labels:
    app: APP
spec:
  selector:
    app: APP
  ports:
  - name: http
    port: 80
    targetPort: http
`

const serviceAccount = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: APP
  labels:
    app: APP
`

const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: APP
  labels:
    app: APP
data:
  config.json: |-
    {
      "name": "APP",
      "cluster": {
        "region": "REGION",
        "zone": "a"
      },
      "log": {"level": "info"}
    }
`
