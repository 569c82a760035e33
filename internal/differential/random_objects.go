package differential

import (
	"fmt"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// objects makes what goes into one resource file. Names come from a small pool, so that references meet; a name that
// the layer already uses for the kind is rarely used again.
func (g *generator) objects(l *layer) []*yaml.Node {
	return some(g, 3, func() *yaml.Node {
		for {
			object := g.object()
			if !exists(l.objects, object) || g.chance(0.02) {
				l.objects = append(l.objects, object)
				return object
			}
			if g.chance(0.2) {
				setScalar(object, g.word()+fmt.Sprint(g.IntN(1000)), "metadata", "name")
			}
		}
	})
}

func exists(objects []*yaml.Node, wanted *yaml.Node) bool {
	for _, object := range objects {
		if scalar(object, "kind") == scalar(wanted, "kind") &&
			scalar(object, "metadata", "name") == scalar(wanted, "metadata", "name") {
			return true
		}
	}
	return false
}

func (g *generator) object() *yaml.Node {
	name := pick(g, "web", "api", "db", "web-sidecar", "api.v2")
	replacer := strings.NewReplacer(
		"NAME", name,
		"OTHER", pick(g, "web", "api", "db"),
		"IMAGE", pick(g, "nginx", "nginx:1.0", "registry.example.com:5000/team/api:1", "api@sha256:"+strings.Repeat("a", 64)),
		"WORD", g.wordOrVariable(),
		"COUNT", fmt.Sprint(g.IntN(5)),
	)
	object := parse(replacer.Replace(pick(g, templates...)))
	g.adorn(object)
	return object
}

// plainWord is one that can stand in a template.
func (g *generator) plainWord() string { return pick(g, "red", "green", "blue") }

// wordOrVariable now and then uses a var, where there may be vars.
func (g *generator) wordOrVariable() string {
	if g.configured && g.chance(0.2) {
		return pick(g, "$(COLOR)", "x$(A)y", "$$(COLOR)", "$(SOME_VAR)$(A)", "$(NONE)", "$(A")
	}
	return g.plainWord()
}

// adorn adds metadata that selectors and transformers look at.
func (g *generator) adorn(object *yaml.Node) {
	metadata := value(object, "metadata")
	if g.chance(0.3) {
		set(metadata, "labels", encode(g.textMap("app", "tier", "track")))
	}
	if g.chance(0.2) {
		set(metadata, "annotations", encode(g.textMap("note", "example.com/owner")))
	}
	if g.chance(0.15) {
		set(metadata, "namespace", encode(pick(g, "default", "prod", "dev")))
	}
}

// textMap maps some of the keys to words.
func (g *generator) textMap(keys ...string) map[string]string {
	words := map[string]string{}
	for _, key := range keys {
		if g.chance(0.6) {
			words[key] = g.word()
		}
	}
	words[pick(g, keys...)] = g.plainWord()
	return words
}

// value returns the value at a path of keys, or nil.
func value(node *yaml.Node, keys ...string) *yaml.Node {
	for _, key := range keys {
		node = field(node, key)
	}
	return node
}

func field(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

func scalar(node *yaml.Node, keys ...string) string {
	if found := value(node, keys...); found != nil {
		return found.Value
	}
	return ""
}

func setScalar(node *yaml.Node, text string, keys ...string) {
	if found := value(node, keys...); found != nil {
		found.Value = text
	}
}

func set(mapping *yaml.Node, key string, node *yaml.Node) {
	if old := field(mapping, key); old != nil {
		*old = *node
		return
	}
	mapping.Content = append(mapping.Content, encode(key), node)
}

// templates are the resources. NAME, OTHER, IMAGE, WORD and COUNT are filled in.
var templates = []string{deploymentTemplate, deploymentTemplate, serviceTemplate, configMapTemplate, configMapTemplate,
	secretTemplate, ingressTemplate, bindingTemplate, cronJobTemplate, customTemplate, namespaceTemplate,
	statefulSetTemplate, autoscalerTemplate, accountTemplate, clusterRoleTemplate}

const deploymentTemplate = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: NAME
spec:
  replicas: COUNT
  selector:
    matchLabels:
      app: NAME
  template:
    metadata:
      labels:
        app: NAME
    spec:
      serviceAccountName: OTHER
      initContainers:
      - name: init
        image: IMAGE
      containers:
      - name: main
        image: IMAGE
        args: ["--color=WORD", "--n", "COUNT"]
        env:
        - name: COLOR
          value: WORD
        - name: SECRET
          valueFrom:
            secretKeyRef:
              name: OTHER
              key: WORD
        ports:
        - containerPort: 80
          protocol: TCP
        - containerPort: 80
          protocol: UDP
      - name: main-sidecar
        image: IMAGE
        envFrom:
        - configMapRef:
            name: OTHER
      volumes:
      - name: config
        configMap:
          name: OTHER
      - name: projected
        projected:
          sources:
          - secret:
              name: OTHER
`

const statefulSetTemplate = `
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: NAME
spec:
  serviceName: OTHER
  selector:
    matchLabels:
      app: NAME
  template:
    metadata:
      labels:
        app: NAME
    spec:
      containers:
      - name: main
        image: IMAGE
        volumeMounts:
        - name: data
          mountPath: /data
  volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
`

const serviceTemplate = `
apiVersion: v1
kind: Service
metadata:
  name: NAME
spec:
  selector:
    app: OTHER
  ports:
  - name: http
    port: 80
    targetPort: 8080
  - port: 443
`

const configMapTemplate = `
apiVersion: v1
kind: ConfigMap
metadata:
  name: NAME
data:
  color: WORD
  count: "COUNT"
  config.json: |-
    {"color": "WORD", "list": [{"name": "a", "n": COUNT}, {"name": "b"}], "deep": {"x.y": "WORD", "html": "<b>"}}
  config.yaml: |
    # settings
    color: WORD
    list:
    - name: a
      n: COUNT
    - name: b
`

const secretTemplate = `
apiVersion: v1
kind: Secret
metadata:
  name: NAME
type: Opaque
stringData:
  color: WORD
data:
  count: MQ==
`

const ingressTemplate = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: NAME
spec:
  tls:
  - hosts: [WORD.example.com]
    secretName: OTHER
  rules:
  - host: WORD.example.com
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: OTHER
            port:
              number: 80
`

const bindingTemplate = `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: NAME
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: OTHER
subjects:
- kind: ServiceAccount
  name: OTHER
  namespace: default
- kind: ServiceAccount
  name: default
`

const clusterRoleTemplate = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: NAME
rules:
- apiGroups: [""]
  resources: [secrets]
  resourceNames: [OTHER]
  verbs: [get]
`

const cronJobTemplate = `
apiVersion: batch/v1
kind: CronJob
metadata:
  name: NAME
spec:
  schedule: "*/5 * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: main
            image: IMAGE
            env:
            - name: COLOR
              valueFrom:
                configMapKeyRef:
                  name: OTHER
                  key: color
`

const autoscalerTemplate = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: NAME
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: OTHER
  minReplicas: COUNT
  maxReplicas: 10
`

const customTemplate = `
apiVersion: example.com/v1
kind: Widget
metadata:
  name: NAME
spec:
  color: WORD
  ref:
    name: OTHER
  size: 1.50
  big: 12345678901234567890
  list:
  - name: a
    value: WORD
  - name: b
    value: null
  image: IMAGE
`

const namespaceTemplate = `
apiVersion: v1
kind: Namespace
metadata:
  name: NAME
`

const accountTemplate = `
apiVersion: v1
kind: ServiceAccount
metadata:
  name: NAME
secrets:
- name: OTHER
`
