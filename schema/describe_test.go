package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

func TestDescribe(t *testing.T) {
	k := newest(t).WithCRDs([]*yaml.Node{parse(t, widgets)})
	for _, c := range []struct {
		apiVersion, kind, path string
		want                   Field
		begins                 string // of the description, from the API's documentation
	}{
		{"apps/v1", "Deployment", "", Field{Name: "Deployment", Type: "object"}, "Deployment enables declarative updates"},
		{"apps/v1", "Deployment", "spec.replicas", Field{Name: "replicas", Type: "integer"}, "Number of desired pods."},
		{"apps/v1", "Deployment", "spec.template", Field{Name: "template", Type: "PodTemplateSpec", Required: true}, "Template describes"},
		{"apps/v1", "Deployment", "spec.template.spec.containers",
			Field{Name: "containers", Type: "list of Container", Required: true, IsList: true}, "List of containers"},
		{"apps/v1", "Deployment", "spec.template.spec.containers.3.imagePullPolicy",
			Field{Name: "imagePullPolicy", Type: "string", Enum: []string{"Always", "IfNotPresent", "Never"}}, "Image pull policy."},
		{"apps/v1", "Deployment", "spec.template.spec.containers.0.resources.limits",
			Field{Name: "limits", Type: "map of quantity"}, "Limits describes"},
		{"apps/v1", "Deployment", "spec.template.spec.containers.0.resources.limits.cpu",
			Field{Name: "cpu", Type: "quantity"}, "A number, with a suffix"}, // the API's own is a grammar between backquotes
		{"apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec.versions.0.schema.openAPIV3Schema.enum",
			Field{Name: "enum", Type: "list of any values", IsList: true}, ""},
		{"apps/v1", "Deployment", "metadata.labels", Field{Name: "labels", Type: "map of string"}, "Map of string keys"},
		{"v1", "Secret", "data", Field{Name: "data", Type: "map of base64"}, "Data contains"},
		{"v1", "Service", "spec.ports.0.targetPort", Field{Name: "targetPort", Type: "integer or string"}, "Number or name"},
		{"example.com/v1", "Widget", "spec.size",
			Field{Name: "size", Type: "string", Enum: []string{"small", "large"}, Required: true}, "How big it is."},
		{"example.com/v1", "Widget", "metadata.name", Field{Name: "name", Type: "string"}, "Name must be unique"},
		{"example.com/v1", "Widget", "spec.list.0.a", Field{Name: "a", Type: "integer", Required: true}, ""},
	} {
		var path []string
		if c.path != "" {
			path = strings.Split(c.path, ".")
		}
		got, ok := k.Describe(c.apiVersion, c.kind, path)
		if !ok || !strings.HasPrefix(got.Description, c.begins) || c.begins == "" && got.Description != "" {
			t.Errorf("%s %s: %v, description %q", c.kind, c.path, ok, got.Description)
		}
		got.Description = ""
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.kind, c.path, diff)
		}
	}
	for _, path := range []string{"spce", "spec.replicas.x", "spec.template.spec.containers.0.x"} {
		if got, ok := k.Describe("apps/v1", "Deployment", strings.Split(path, ".")); ok {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestFields(t *testing.T) {
	k := newest(t).WithCRDs([]*yaml.Node{parse(t, widgets)})
	for _, c := range []struct {
		apiVersion, kind, path string
		want                   string
	}{
		{"v1", "ConfigMap", "", "apiVersion binaryData data immutable kind metadata"},
		{"v1", "Service", "spec.ports", "appProtocol name nodePort port protocol targetPort"},
		{"v1", "Service", "spec.ports.0", "appProtocol name nodePort port protocol targetPort"},
		{"v1", "ConfigMap", "data", ""},
		{"example.com/v1", "Widget", "", "apiVersion kind metadata spec status"},
		{"example.com/v1", "Widget", "spec.list.0", "a b"},
		{"example.com/v1", "Gadget", "", ""},
	} {
		var path, names []string
		if c.path != "" {
			path = strings.Split(c.path, ".")
		}
		for _, f := range k.Fields(c.apiVersion, c.kind, path) {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.kind, c.path, got, c.want)
		}
	}
}

func TestUnknownPatchFields(t *testing.T) {
	k := newest(t).WithCRDs([]*yaml.Node{parse(t, widgets)})
	for patch, want := range map[string][]string{
		"spec: {replicas: 1, template: {spec: {containers: [{name: a, image: b}]}}}":                                                     nil,
		"{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}, spec: {replica: 1}}":                                               {"unknown-field spec.replica ~replicas"},
		"spec: {template: {spec: {containers: [{name: a, imagePullPolcy: b}]}}}":                                                         {"unknown-field spec.template.spec.containers.0.imagePullPolcy ~imagePullPolicy"},
		"spec: {$patch: replace, template: {spec: {$setElementOrder/containers: [{name: a}], containers: [{$patch: delete, name: a}]}}}": nil,
		"spec: {strategy: {$retainKeys: [type], type: Recreate}, $deleteFromPrimitiveList/x: [a]}":                                       nil,
		"spec: {replicsa: null}": {"unknown-field spec.replicsa ~replicas"},
		"metadata: {annotations: {any: thing}, labels: {a: b}, annotation: {}}": {"unknown-field metadata.annotation"},
		"spec: {template: {spec: {containers: {name: a}}}}":                     nil, // of the wrong type, which is not asked here
		"spec: []": nil,
		"text":     nil,
	} {
		got := summarize(k.UnknownPatchFields("apps/v1", "Deployment", parse(t, patch)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", patch, diff)
		}
	}
	custom := parse(t, "spec: {sise: small, any: {a: b}, partly: {x: y}, things: {k: {b: 1}}}")
	want := []string{"unknown-field spec.sise ~size", "unknown-field spec.things.k.b"}
	if diff := cmp.Diff(want, summarize(k.UnknownPatchFields("example.com/v1", "Widget", custom))); diff != "" {
		t.Errorf("a custom resource (-want +got):\n%s", diff)
	}
	if got := k.UnknownPatchFields("example.com/v1", "Gadget", custom); got != nil {
		t.Errorf("a kind nobody knows: %v", got)
	}
}
