package render

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// deployment is a resource of the usual kind, with comments, quotes and a
// block of text; %d makes each one different.
const deployment = `# The web server.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%d
  namespace: shop
  labels:
    app.kubernetes.io/name: web
    app.kubernetes.io/instance: web-%d
    app.kubernetes.io/version: "1.27"
  annotations:
    description: A server that answers the requests of customers, and this text is long enough to be broken into lines
    checksum/config: 3f786850e387550fdab836ed7e6dc881de23001b
spec:
  replicas: 3 # enough
  selector:
    matchLabels: {app.kubernetes.io/name: web}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: web
    spec:
      securityContext:
        runAsNonRoot: true
        runAsUser: 65534
      containers:
      - name: nginx
        image: registry.example.com/shop/nginx:1.27.3
        args: ["-g", "daemon off;"]
        ports:
        - containerPort: 8080
          name: http
        env:
        - name: MODE
          value: production
        - name: VERBOSE
          value: "true"
        - name: TIMEOUT
          value: '30'
        resources:
          requests:
            cpu: 100m
            memory: 128Mi
          limits:
            memory: 256Mi
        livenessProbe:
          httpGet:
            path: /healthz
            port: http
          initialDelaySeconds: 5
        volumeMounts:
        - mountPath: /etc/nginx/conf.d
          name: config
          readOnly: true
      volumes:
      - name: config
        configMap:
          name: web-config
          items:
          - key: default.conf
            path: default.conf
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: web-config-%d
data:
  default.conf: |
    server {
      listen 8080;
      server_name _;
      location / {
        proxy_pass http://backend:8080;
        proxy_set_header Host $host;
      }
    }
  LOG_LEVEL: info
`

func benchmarkNodes(b *testing.B) ([]*yaml.Node, int64) {
	var nodes []*yaml.Node
	size := int64(0)
	for i := range 500 {
		decoder := yaml.NewDecoder(bytes.NewReader(fmt.Appendf(nil, deployment, i, i, i)))
		for {
			n := &yaml.Node{}
			if decoder.Decode(n) != nil {
				break
			}
			text, err := Document(nil, n.Content[0])
			if err != nil {
				b.Fatal(err)
			}
			size += int64(len(text))
			nodes = append(nodes, n.Content[0])
		}
	}
	return nodes, size
}

func BenchmarkDocument(b *testing.B) {
	nodes, size := benchmarkNodes(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		out = out[:0]
		for _, n := range nodes {
			out, _ = Document(out, n)
		}
	}
}

func BenchmarkResources(b *testing.B) {
	nodes, size := benchmarkNodes(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Resources(context.Background(), nodes); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMarshal is yaml.v3's printing of the same nodes, the measure.
func BenchmarkMarshal(b *testing.B) {
	nodes, size := benchmarkNodes(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, n := range nodes {
			if _, err := yaml.Marshal(n); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkKustomize is kustomize's own way.
func BenchmarkKustomize(b *testing.B) {
	nodes, size := benchmarkNodes(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, n := range nodes {
			if _, err := kustomizePrints(n); err != nil {
				b.Fatal(err)
			}
		}
	}
}
