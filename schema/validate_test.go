package schema

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

// The right resources are what a cluster accepts; each wrong one says what the
// API server's strict decoding or its validation finds.
func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name, resource string
		want           []string // kind, path, and the nearest where there is one
	}{
		{"a deployment", deployment, nil},
		{"misspelt and misplaced fields", strings.NewReplacer(
			"replicas:", "replicsa:", "        env:", "        envs:").Replace(deployment),
			[]string{"unknown-field spec.replicsa ~replicas", "unknown-field spec.template.spec.containers.0.envs ~env"}},
		{"key case counts", strings.Replace(deployment, "imagePullPolicy", "ImagePullPolicy", 1),
			[]string{"unknown-field spec.template.spec.containers.0.ImagePullPolicy ~imagePullPolicy"}},
		{"text for a number", strings.Replace(deployment, "replicas: 2", `replicas: "2"`, 1),
			[]string{"wrong-type spec.replicas"}},
		{"a number for text", strings.Replace(deployment, `value: "1"`, "value: 1", 1),
			[]string{"wrong-type spec.template.spec.containers.0.env.0.value"}},
		{"a fraction for an integer", strings.Replace(deployment, "replicas: 2", "replicas: 2.5", 1),
			[]string{"wrong-type spec.replicas"}},
		{"a whole float is an integer", strings.Replace(deployment, "replicas: 2", "replicas: 2.0", 1), nil},
		{"an integer that does not fit", strings.Replace(deployment, "replicas: 2", "replicas: 3000000000", 1),
			[]string{"malformed spec.replicas"}},
		{"a list for a mapping", strings.Replace(deployment, "securityContext: {}", "securityContext: []", 1),
			[]string{"wrong-type spec.template.spec.securityContext"}},
		{"required fields", strings.NewReplacer("  selector: {matchLabels: {app: web}}\n", "", "name: web\n        image", "image").Replace(deployment),
			[]string{"missing-field spec.selector", "missing-field spec.template.spec.containers.0.name"}},
		{"null counts as absent", strings.NewReplacer("replicas: 2", "replicas: null", "name: web\n        image", "name: ~\n        image").Replace(deployment),
			[]string{"missing-field spec.template.spec.containers.0.name"}},
		{"but strict decoding minds the name of an unknown field", strings.NewReplacer("replicas: 2", "replicsa: null", "{name: A,", "{name: A, vlaue: ~,").Replace(deployment),
			[]string{"unknown-field spec.replicsa ~replicas", "unknown-field spec.template.spec.containers.0.env.0.vlaue"}},
		{"enumerations", strings.Replace(deployment, "IfNotPresent", "ifNotPresent", 1),
			[]string{"not-in-enum spec.template.spec.containers.0.imagePullPolicy ~IfNotPresent"}},
		{"an enumeration whose values stand in another package",
			"apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: x}\naddressType: IPv4\nendpoints: []\n", nil},
		{"and one that is none of them",
			"apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: x}\naddressType: ipv4\nendpoints: []\n",
			[]string{"not-in-enum addressType ~IPv4"}},
		{"an empty text is no choice", strings.Replace(deployment, "IfNotPresent", `""`, 1), nil},
		{"quantities", strings.NewReplacer("cpu: 0.5", "cpu: 500M1", "memory: 64Mi", "memory: 64MB").Replace(deployment),
			[]string{"malformed spec.template.spec.containers.0.resources.limits.cpu",
				"malformed spec.template.spec.containers.0.resources.limits.memory"}},
		{"int or string", strings.Replace(deployment, "port: http", "port: true", 1),
			[]string{"wrong-type spec.template.spec.containers.0.readinessProbe.httpGet.port"}},
		{"what a client says in a status is dropped",
			deployment + "status: {conditions: [{}], replicas: 0}\n", nil},
		{"but it is decoded", deployment + "status: {replica: 0}\n", []string{"unknown-field status.replica ~replicas"}},

		{"a boolean in an annotation, and one of YAML 1.1, which kustomize prints in quotes",
			"apiVersion: v1\nkind: Namespace\nmetadata:\n  name: n\n  annotations: {inject: true, quoted: 'true', old: yes}\n",
			[]string{"wrong-type metadata.annotations.inject"}},
		{"dates are strings, numbers are not",
			"apiVersion: v1\nkind: Namespace\nmetadata: {name: x, labels: {on: 2024-01-01, version: 1.10, hex: 0x10}}\n",
			[]string{"wrong-type metadata.labels.version", "wrong-type metadata.labels.hex"}},
		{"metadata is strict", "apiVersion: v1\nkind: Namespace\nmetadata: {name: x, app: x, labels: [a]}\n",
			[]string{"unknown-field metadata.app", "wrong-type metadata.labels"}},
		{"timestamps", "apiVersion: v1\nkind: Namespace\nmetadata: {name: x, creationTimestamp: null, deletionTimestamp: soon}\n",
			[]string{"malformed metadata.deletionTimestamp"}},

		{"a config map", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: 'true', b: ''}\nbinaryData: {c: aGVs\n    bG8=}\n",
			[]string{"malformed binaryData.c"}}, // a folded line end is a blank
		{"wrong config maps", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: true, b: {c: d}}\nbinaryData: {c: hello}\nstringData: {}\n",
			[]string{"wrong-type data.a", "wrong-type data.b", "malformed binaryData.c", "unknown-field stringData"}},
		{"secrets", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ntype: any\nstringData: {a: hello}\ndata: {b: aGVsbG8=, c: not base64}\n",
			[]string{"malformed data.c"}},
		{"base64 in a literal block", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  b: |\n    aGVs\n    bG8=\n", nil},

		{"a service", "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: NodePort, ports: [{port: 80, targetPort: http}, {port: 81, targetPort: 81, protocol: UDP}]}\n", nil},
		{"wrong services", "apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: Nodeport, port: 80, ports: [{port: '80', targetport: 1}, {name: a}]}\n",
			[]string{"not-in-enum spec.type ~NodePort", "unknown-field spec.port", "wrong-type spec.ports.0.port",
				"unknown-field spec.ports.0.targetport ~targetPort", "missing-field spec.ports.1.port"}},
		{"an ingress", "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {rules: [{http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: s, port: {number: 80}}}}]}}]}\n", nil},
		{"an ingress of the old form", "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {rules: [{http: {paths: [{path: /, backend: {serviceName: s, servicePort: 80}}]}}]}\n",
			[]string{"missing-field spec.rules.0.http.paths.0.pathType",
				"unknown-field spec.rules.0.http.paths.0.backend.serviceName ~service",
				"unknown-field spec.rules.0.http.paths.0.backend.servicePort ~service"}},
		{"a cron job", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {schedule: '* * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: OnFailure, containers: [{name: a, image: b}]}}}}}\n", nil},
		{"a cron job with a wrong schedule and restart policy", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {schedule: 5, jobTemplate: {spec: {template: {spec: {restartPolicy: Sometimes, containers: [{name: a, image: b}]}}}}}\n",
			[]string{"wrong-type spec.schedule", "not-in-enum spec.jobTemplate.spec.template.spec.restartPolicy"}},
		{"an autoscaler", "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: d}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}\n", nil},
		{"an autoscaler of the old form", "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\nspec: {maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: d}, targetCPUUtilizationPercentage: 50, metrics: [{type: resource, resource: {name: cpu, targetAverageUtilization: 50}}]}\n",
			[]string{"unknown-field spec.targetCPUUtilizationPercentage", "not-in-enum spec.metrics.0.type ~Resource",
				"missing-field spec.metrics.0.resource.target", "unknown-field spec.metrics.0.resource.targetAverageUtilization"}},
		{"a network policy", "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: x}\nspec: {podSelector: {}, policyTypes: [Ingress], ingress: [{from: [{namespaceSelector: {matchExpressions: [{key: a, operator: In, values: [b]}]}}], ports: [{port: 80, protocol: TCP}]}]}\n", nil},
		{"wrong network policies", "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: x}\nspec: {podSelector: {app: web}, policyTypes: [ingress], ingress: [{from: {podSelector: {matchExpressions: [{key: a, operator: Equals}]}}}]}\n",
			[]string{"unknown-field spec.podSelector.app", "not-in-enum spec.policyTypes.0 ~Ingress", "wrong-type spec.ingress.0.from"}},
		{"roles", "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: [{apiGroups: [''], resources: [pods], verbs: ['*']}, {apiGroup: [''], resources: [pods]}]\n",
			[]string{"missing-field rules.1.verbs", "unknown-field rules.1.apiGroup ~apiGroups"}},
		{"a role binding", "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: r}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}\nsubjects: [{kind: ServiceAccount, name: s, namespace: x}]\n", nil},
		{"a role binding without a role", "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: r}\nsubjects: [{kind: User}]\n",
			[]string{"missing-field roleRef", "missing-field subjects.0.name"}},
		{"a disruption budget", "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {minAvailable: 50%, maxUnavailable: 1, selector: {}}\n", nil},
		{"a stateful set", statefulSet, nil},
		{"a stateful set with a wrong claim", strings.NewReplacer("ReadWriteOnce", "ReadWriteonce", "storage: 1Gi", "storage: 1 Gi", "resources:", "resource:").Replace(statefulSet),
			[]string{"not-in-enum spec.volumeClaimTemplates.0.spec.accessModes.0 ~ReadWriteOnce", "unknown-field spec.volumeClaimTemplates.0.spec.resource ~resources"}},
		{"a priority class need not say its value", "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: p}\n", nil},

		{"what envsubst, Helm or a script fills in", strings.NewReplacer("replicas: 2", "replicas: ${REPLICAS}", "IfNotPresent", `"{{ .Values.pullPolicy }}"`,
			"memory: 64Mi", "memory: MEMORY_OF_WEB", "securityContext: {}", `securityContext: {POD_SECURITY_CONTEXT: ""}`,
			"- name: web\n        image: web:1", `- WEB_CONTAINER: ""`, "{app: web}}\n  strategy", "MATCH_LABELS}\n  strategy").Replace(deployment), nil},
		{"a template without quotes", strings.NewReplacer("replicas: 2", "replicas: {{ .replicas }}", "labels: {app: web}\n", "labels: {app: {{ .app }}}\n").Replace(deployment), nil},
		{"a list that is filled in", strings.Replace(deployment, "- {name: v, emptyDir: {}}", `  VOLUMES_OF_WEB: ""`, 1), nil},
		{"names in capitals that nobody fills in", strings.NewReplacer("replicas: 2", "replicas: 2\n  LOG_LEVEL: debug", "IfNotPresent", "IF_NOT", "memory: 64Mi", "memory: A_LOT").Replace(deployment),
			[]string{"unknown-field spec.LOG_LEVEL", "not-in-enum spec.template.spec.containers.0.imagePullPolicy",
				"malformed spec.template.spec.containers.0.resources.limits.memory"}},
		{"what sops encrypted", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: 'ENC[AES256_GCM,data:x]'}\nsops: {mac: x, lastmodified: '2022-02-03T16:03:17Z'}\n", nil},
		{"a field named sops", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nsops: {}\n", []string{"unknown-field sops"}},

		{"a custom resource that nobody defined", "apiVersion: example.com/v1\nkind: Anything\nspec: {a: b}\nwhat: ever\n", nil},
		{"a removed version", "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {anything: 1}\n",
			[]string{"removed-version apiVersion"}},
		{"a group of Kubernetes' that lacks a letter, has one wrong, or no end",
			"apiVersion: app/v1\nkind: Deployment\nmetadata: {name: d}\n", []string{"unknown-kind apiVersion ~apps/v1"}},
		{"a wrong letter in a long group",
			"apiVersion: rbac.authorisation.k8s.io/v1\nkind: Role\nmetadata: {name: d}\n", []string{"unknown-kind apiVersion ~rbac.authorization.k8s.io/v1"}},
		{"a group without its domain",
			"apiVersion: networking/v1\nkind: NetworkPolicy\nmetadata: {name: d}\n", []string{"unknown-kind apiVersion ~networking.k8s.io/v1"}},
		{"the group of another kind",
			"apiVersion: apps/v1\nkind: Service\nmetadata: {name: d}\n", []string{"unknown-kind apiVersion ~v1"}},
		{"the core for a kind of a group",
			"apiVersion: v1\nkind: Deployment\nmetadata: {name: d}\n", []string{"unknown-kind apiVersion ~apps/v1"}},
		{"a capital in a version",
			"apiVersion: apps/V1\nkind: Deployment\nmetadata: {name: d}\n", []string{"unknown-kind apiVersion ~apps/v1"}},
		{"kinds of others that are called the same",
			"apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: d}\n", nil},
		{"also where the group is like one of Kubernetes'",
			"apiVersion: apps.kruise.io/v1\nkind: StatefulSet\nmetadata: {name: d}\n", nil},
		{"what OpenShift once had in the core",
			"apiVersion: v1\nkind: RoleBinding\nmetadata: {name: d}\n", nil},
		{"a misspelt kind", "apiVersion: apps/v1\nkind: Deploymnet\nmetadata: {name: d}\n", []string{"unknown-kind kind ~Deployment"}},
		{"a misspelt kind of a version that was removed", "apiVersion: batch/v1beta1\nkind: CronJbo\nmetadata: {name: d}\n", []string{"unknown-kind kind ~CronJob"}},
		{"OpenShift's kinds in v1", "apiVersion: v1\nkind: Template\nmetadata: {name: t}\n", nil},
		{"OpenShift's roles in v1", "apiVersion: v1\nkind: RoleBinding\nmetadata: {name: t}\n", nil},
		{"no kind", "metadata: {name: t}\n", nil},
		{"no mapping", "- a\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := summarize(newest(t).Validate(parse(t, c.resource)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  strategy: {rollingUpdate: {maxSurge: 25%, maxUnavailable: 0}}
  template:
    metadata: {labels: {app: web}, creationTimestamp: null}
    spec:
      securityContext: {}
      containers:
      - name: web
        image: web:1
        imagePullPolicy: IfNotPresent
        env:
        - {name: A, value: "1"}
        ports: [{containerPort: 80, name: http}]
        readinessProbe: {httpGet: {path: /, port: http}}
        resources: {limits: {cpu: 0.5, memory: 64Mi}}
      volumes:
      - {name: v, emptyDir: {}}
`

const statefulSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: s}
spec:
  selector: {matchLabels: {app: s}}
  template:
    metadata: {labels: {app: s}}
    spec: {containers: [{name: a, image: b}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec:
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}
    status: {phase: Pending, conditions: [{}]}
`

func TestViolationsPointAtTheirValue(t *testing.T) {
	resource := parse(t, strings.NewReplacer("replicas: 2", `replicsa: "2"`, "IfNotPresent", "Sometimes",
		"name: web\n        image", "image").Replace(deployment))
	var got []string
	for _, v := range newest(t).Validate(resource) {
		got = append(got, string(v.Kind)+" "+v.Node.Value)
	}
	want := []string{"unknown-field replicsa", "missing-field ", "not-in-enum Sometimes"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
}

func TestMessages(t *testing.T) {
	for resource, want := range map[string]string{
		"apiVersion: v1\nkind: Service\nspec: {ports: [{port: http}]}\n":   `the string "http" must be an integer`,
		"apiVersion: v1\nkind: Namespace\nmetadata: {labels: {a: true}}\n": `the boolean "true" must be a string; quote it`,
		"apiVersion: v1\nkind: Service\nspec: {sessionAffinity: client}\n": `the string "client" is not allowed here; ` +
			"it must be `ClientIP` or `None`",
		"apiVersion: v1\nkind: ConfigMap\ndatas: {}\n":       "unknown field `datas`; did you mean `data`?",
		"apiVersion: v1\nkind: Pod\nspec: {volumes: [{}]}\n": "the required field `containers` is missing in `spec`",
		"apiVersion: extensions/v1beta1\nkind: Ingress\nspec: {}\n": "Kubernetes 1.22 removed Ingress from extensions/v1beta1" +
			"; its successor is networking.k8s.io/v1 Ingress",
	} {
		violations := newest(t).Validate(parse(t, resource))
		if len(violations) == 0 || violations[0].Message != want {
			t.Errorf("%s\ngot  %v\nwant %s", resource, violations, want)
		}
	}
}

func TestRemoved(t *testing.T) {
	for _, c := range []struct {
		version, apiVersion, kind string
		want                      Removal
	}{
		{"1.36", "batch/v1beta1", "CronJob", Removal{"1.25", "batch/v1", "CronJob"}},
		{"1.36", "apps/v1beta2", "DaemonSet", Removal{"1.16", "apps/v1", "DaemonSet"}},
		{"1.36", "autoscaling/v2beta2", "HorizontalPodAutoscaler", Removal{"1.26", "autoscaling/v2", "HorizontalPodAutoscaler"}},
		{"1.36", "apiextensions.k8s.io/v1beta1", "CustomResourceDefinition",
			Removal{"1.22", "apiextensions.k8s.io/v1", "CustomResourceDefinition"}},
		{"1.36", "policy/v1beta1", "PodSecurityPolicy", Removal{Removed: "1.25"}},
		{"1.36", "networking.k8s.io/v1beta1", "IngressClass", Removal{"1.22", "networking.k8s.io/v1", "IngressClass"}},
		// Its life in k8s.io/api names no successor; the stable version is one.
		{"1.36", "admissionregistration.k8s.io/v1beta1", "ValidatingAdmissionPolicy",
			Removal{"1.34", "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"}},
		// Two steps: v1beta3 is gone as well.
		{"1.36", "flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema",
			Removal{"1.26", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema"}},
		{"1.31", "flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema",
			Removal{"1.26", "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema"}},
		{"1.31", "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", Removal{}}, // gone in 1.32
		{"1.36", "apps/v1", "Deployment", Removal{}},
		{"1.36", "example.com/v1", "Deployment", Removal{}},
	} {
		got, _ := at(t, c.version).Removed(c.apiVersion, c.kind)
		if got != c.want {
			t.Errorf("%s: %s %s: got %v, want %v", c.version, c.apiVersion, c.kind, got, c.want)
		}
	}
}

func TestVersions(t *testing.T) {
	known := Versions()
	if len(known) < 4 || !slices.IsSortedFunc(known, func(a, b string) int { return len(a) - len(b) }) {
		t.Fatalf("known versions: %v", known)
	}
	for version, want := range map[string]string{
		"": known[len(known)-1], "1.33": "1.33", "v1.33": "1.33", "1.33.4": "1.33", "v1.34.1+k3s1": "1.34", "1.35-gke.1": "1.35",
	} {
		if k, err := New(version); err != nil || k.Version() != want {
			t.Errorf("New(%q): %v, %v", version, k, err)
		}
	}
	for _, version := range []string{"1.5", "2.0", "newest", "1", "1."} {
		if _, err := New(version); err == nil {
			t.Errorf("New(%q) gives no error", version)
		}
	}
}

// A field that came with a version is unknown before it. The versions are from
// the changelogs of Kubernetes: trafficDistribution came with 1.30,
// spec.managedBy of a Job with 1.30, and hostnameOverride of a pod with 1.34.
func TestVersionsDiffer(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {hostnameOverride: h, containers: [{name: a}]}\n"
	if got := summarize(at(t, "1.33").Validate(parse(t, pod))); len(got) != 1 {
		t.Errorf("in 1.33: %v", got)
	}
	if got := summarize(at(t, "1.34").Validate(parse(t, pod))); got != nil {
		t.Errorf("in 1.34: %v", got)
	}
}

// Every definition of every version has to compile: a reference that leads
// nowhere would show only when somebody uses that kind.
func TestEveryKindCompiles(t *testing.T) {
	for _, version := range Versions() {
		k := at(t, version)
		if len(k.builtin.kinds) < 100 {
			t.Errorf("%s has %d kinds", version, len(k.builtin.kinds))
		}
		seen := map[string]bool{}
		for name, definition := range k.builtin.kinds {
			compileAll(t, k.builtin, definition, seen)
			if _, ok := k.Describe(name.apiVersion, name.kind, []string{"metadata"}); !ok {
				t.Errorf("%s: %v: no metadata", version, name)
			}
		}
	}
}

func compileAll(t *testing.T, l *library, definition string, seen map[string]bool) {
	if seen[definition] {
		return
	}
	seen[definition] = true
	if _, err := l.compile(definition); err != nil {
		t.Errorf("%s: %v", l.version, err)
		return
	}
	schema, _ := l.read(definition)
	for _, other := range regexp.MustCompile(`"reference":"([^"]+)"`).FindAllStringSubmatch(schema, -1) {
		compileAll(t, l, other[1], seen)
	}
}

func TestTheDataIsSmall(t *testing.T) {
	if len(compressed) > 2<<20 {
		t.Errorf("the embedded schemas take %d bytes", len(compressed))
	}
}

func summarize(violations []Violation) []string {
	var summary []string
	for _, v := range violations {
		line := string(v.Kind) + " " + strings.Join(v.Path, ".")
		if v.Nearest != "" {
			line += " ~" + v.Nearest
		}
		summary = append(summary, line)
	}
	return summary
}

func newest(t testing.TB) *Kubernetes { return at(t, "") }

func at(t testing.TB, version string) *Kubernetes {
	t.Helper()
	k, err := New(version)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func parse(t testing.TB, content string) *yaml.Node {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(content), &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}
