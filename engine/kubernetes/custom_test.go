package kubernetes

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/resid"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// A custom document that defines kinds of its own, uses built-in types, and
// changes one.
const customDocument = `
definitions:
  com.example.Odd:
    type: object
    properties:
      spec:
        type: object
        properties:
          template: {$ref: "#/definitions/io.k8s.api.core.v1.PodTemplateSpec"}
          steps:
            type: array
            items: {$ref: "#/definitions/com.example.Step"}
            x-kubernetes-patch-strategy: merge,retainKeys
            x-kubernetes-patch-merge-key: id
          pairs:
            type: [array]
            items: {type: object}
            x-kubernetes-patch-strategy: merge
            x-kubernetes-patch-merge-key: a
            x-kubernetes-list-map-keys: [a, b]
          keysOnly:
            type: array
            items: {type: object}
            x-kubernetes-list-map-keys: [a]
          replaced:
            type: array
            x-kubernetes-patch-strategy: replace
            x-kubernetes-patch-merge-key: a
          names: {type: array, items: {type: string}, x-kubernetes-patch-strategy: merge}
          nowhere: {$ref: "#/definitions/com.example.Nowhere"}
        additionalProperties: {$ref: "#/definitions/com.example~1slash.Step"}
    x-kubernetes-group-version-kind:
    - {group: example.com, version: v1, kind: Odd}
    - {version: v1, kind: Pod}
  com.example/slash.Step:
    properties:
      more: {type: array, items: {type: object}, x-kubernetes-patch-strategy: merge, x-kubernetes-patch-merge-key: k}
    additionalProperties: true
  com.example.Step:
    properties:
      env: {type: array, items: {type: object}, x-kubernetes-patch-strategy: merge, x-kubernetes-patch-merge-key: name}
  io.k8s.api.core.v1.Container:
    properties:
      args: {type: array, items: {type: string}, x-kubernetes-patch-strategy: merge}
  io.k8s.api.core.v1.PodSpec:
    properties:
      containers:
        type: array
        items: {$ref: "#/definitions/io.k8s.api.core.v1.Container"}
        x-kubernetes-patch-strategy: merge
        x-kubernetes-patch-merge-key: id
paths:
  /apis/example.com/v1/odds:
    get: {x-kubernetes-group-version-kind: {group: example.com, version: v1, kind: Odd}}
  /apis/example.com/v1/namespaces/{namespace}/evens:
    get: {x-kubernetes-group-version-kind: {group: example.com, version: v1, kind: Even}}
  /apis/example.com/v1/evens:
    get: {x-kubernetes-group-version-kind: {group: example.com, version: v1, kind: Even}}
  /api/v1/pods:
    get: {x-kubernetes-group-version-kind: {group: "", version: v1, kind: Pod}}
`

// kustomize's schema is one for the process, so the three orders come about by
// what was asked of it before the custom document was set.
func TestCustomSchemaIsKyamls(t *testing.T) {
	for name, c := range map[string]struct {
		order  Order
		before func()
	}{
		"CustomOnly":   {CustomOnly, func() {}},
		"BuiltinFirst": {BuiltinFirst, func() { resid.NewGvk("example.com", "v1", "Unknown") }},
		"CustomFirst":  {CustomFirst, func() { openapi.SchemaForResourceType(kyaml.TypeMeta{APIVersion: "v1", Kind: "Pod"}) }},
	} {
		t.Run(name, func(t *testing.T) {
			openapi.ResetOpenAPI()
			defer openapi.ResetOpenAPI()
			c.before()
			if err := openapi.SetSchema(map[string]string{"path": "x"}, []byte(customDocument), true); err != nil {
				t.Fatal(err)
			}
			custom, err := ParseDefinitions([]byte(customDocument))
			if err != nil {
				t.Fatal(err)
			}
			schema := NewSchema(custom, c.order)
			compareCustom(t, schema)
		})
	}
}

func compareCustom(t *testing.T, schema Schema) {
	for _, meta := range []string{
		"example.com/v1 Odd", "v1 Pod", "apps/v1 Deployment", "apps/v1 StatefulSet", "v1 Service",
		"kustomize.config.k8s.io/v1beta1 Kustomization", "example.com/v1 Unknown",
	} {
		apiVersion, kind, _ := strings.Cut(meta, " ")
		comparison := comparison{t: t, seen: map[Type]bool{}}
		comparison.resource(schema, apiVersion, kind)
	}
	for _, meta := range []string{"example.com/v1 Odd", "example.com/v1 Even", "v1 Pod", "v1 Namespace", "example.com/v1 Unknown"} {
		apiVersion, kind, _ := strings.Cut(meta, " ")
		group, version := resid.ParseGroupVersion(apiVersion)
		want := resid.NewGvk(group, version, kind).IsClusterScoped()
		if got := schema.ClusterScoped(apiVersion, kind); got != want {
			t.Errorf("ClusterScoped(%s) = %v, kustomize says %v", meta, got, want)
		}
	}
}

func TestParseDefinitions(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		valid bool
	}{
		"JSON":             {`{"definitions": {"a": {"type": "object"}}}`, true},
		"empty JSON":       {`{}`, true},
		"broken JSON":      {`{"definitions": `, false},
		"broken YAML":      {"definitions: [", false},
		"a list of them":   {`definitions: []`, false},
		"a type mismatch":  {`definitions: {a: {properties: x}}`, false},
		"circle":           {`{"definitions": {"a": {"$ref": "#/definitions/a"}}}`, true},
		"ref to elsewhere": {`{"definitions": {"a": {"$ref": "other.json#/a"}}}`, true},
	} {
		if _, err := ParseDefinitions([]byte(c.text)); (err == nil) != c.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A circle of references ends.
func TestReferencesInACircle(t *testing.T) {
	custom, err := ParseDefinitions([]byte(`{"definitions": {
		"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"},
		"Odd": {"properties": {"x": {"$ref": "#/definitions/a"}},
			"x-kubernetes-group-version-kind": [{"version": "v1", "kind": "Odd"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	odd := NewSchema(custom, CustomOnly).ForResource("v1", "Odd")
	if !odd.Known() || odd.Field("x").Known() {
		t.Errorf("Odd is %v, its field x is %v", odd.Known(), odd.Field("x").Known())
	}
}
