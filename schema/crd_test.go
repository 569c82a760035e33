package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            description: What the widget is.
            required: [size]
            properties:
              size: {type: string, enum: [small, large], description: How big it is.}
              count: {type: integer, format: int32, minimum: 1, maximum: 10, exclusiveMaximum: true}
              ratio: {type: number}
              port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
              name: {type: string, pattern: '^[a-z]+$', maxLength: 5}
              broken: {type: string, pattern: '(?!x)'}
              any: {x-kubernetes-preserve-unknown-fields: true}
              partly:
                type: object
                x-kubernetes-preserve-unknown-fields: true
                properties: {known: {type: integer}, closed: {type: object, properties: {a: {type: string}}}}
              empty: {type: object}
              labels: {type: object, additionalProperties: {type: string}}
              things: {type: object, additionalProperties: {type: object, properties: {a: {type: integer}}}}
              list: {type: array, minItems: 1, items: {type: object, required: [a], properties: {a: {type: integer}, b: {type: string}}}}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              when: {type: string, format: date-time}
              odd: {type: string, format: hostname}
              maybe: {type: array, items: {type: string, nullable: true}}
              either:
                type: object
                properties: {a: {type: string}, b: {type: string}}
                oneOf: [{required: [a]}, {required: [b]}]
              all:
                type: object
                properties: {a: {type: integer}}
                allOf: [{properties: {a: {minimum: 3}}}]
              tree:
                type: object
                properties: {not: {type: string, not: {pattern: x}}}
          status:
            type: object
            required: [phase]
            properties: {phase: {type: string}}
  - name: v2
    served: true
    storage: false
`

func TestCustomResources(t *testing.T) {
	k := newest(t).WithCRDs([]*yaml.Node{parse(t, widgets)})
	for spec, want := range map[string][]string{
		"{size: small}":            nil,
		"{}":                       {"missing-field spec.size"},
		"{size: tiny}":             {"not-in-enum spec.size"},
		"{size: smal}":             {"not-in-enum spec.size ~small"},
		"{size: small, cuont: 1}":  {"unknown-field spec.cuont ~count"},
		"{size: small, count: 0}":  {"out-of-range spec.count"},
		"{size: small, count: 9}":  nil,
		"{size: small, count: 10}": {"out-of-range spec.count"},
		"{size: small, ratio: 1, port: 1, name: abc, broken: x, odd: '-'}": nil,
		"{size: small, ratio: '1', port: 1.5}":                             {"wrong-type spec.ratio", "wrong-type spec.port"},
		"{size: small, name: ABC}":                                         {"malformed spec.name"},
		"{size: small, name: abcdef}":                                      {"out-of-range spec.name"},
		"{size: small, any: {a: [1]}, partly: {unknown: 1, known: 1}}":     nil,
		"{size: small, any: text}":                                         nil,
		"{size: small, partly: {known: x, closed: {b: c}}}": {
			"wrong-type spec.partly.known", "unknown-field spec.partly.closed.b"},
		"{size: small, empty: {a: 1}}":                         {"unknown-field spec.empty.a"},
		"{size: small, labels: {a: b, c: 1}}":                  {"wrong-type spec.labels.c"},
		"{size: small, things: {x: {a: 1}, y: {a: b}}}":        {"wrong-type spec.things.y.a"},
		"{size: small, list: []}":                              {"out-of-range spec.list"},
		"{size: small, list: [{a: 1}, {b: c}]}":                {"missing-field spec.list.1.a"},
		"{size: small, template: {apiVersion: v1, kind: Pod}}": nil,
		"{size: small, template: {metadata: {name: x, nmae: y}}}": {
			"missing-field spec.template.apiVersion", "missing-field spec.template.kind",
			"unknown-field spec.template.metadata.nmae"},
		"{size: small, when: 2026-01-31T12:00:00Z, maybe: [a, null]}": nil,
		"{size: small, when: later}":                                  {"malformed spec.when"},
		"{size: small, either: {a: x}}":                               nil,
		"{size: small, either: {}}":                                   {"unsatisfied spec.either"},
		"{size: small, either: {a: x, b: z}}":                         {"unsatisfied spec.either"},
		"{size: small, all: {a: 2}}":                                  {"out-of-range spec.all.a"},
		"{size: small, all: {a: 3}}":                                  nil,
		"{size: small, tree: {not: x}}":                               {"unsatisfied spec.tree.not"},
		"{size: small, tree: {not: y}}":                               nil,
		"{size: small, tree: {not: z}}":                               nil,
		"{size: small, ratio: null, any: {a: null}, cuont: null}":     {"unknown-field spec.cuont ~count"},
	} {
		resource := "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: x}\nspec: " + spec + "\n"
		if diff := cmp.Diff(want, summarize(k.Validate(parse(t, resource)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", spec, diff)
		}
	}
}

func TestCustomResourcesOutsideSpec(t *testing.T) {
	k := newest(t).WithCRDs([]*yaml.Node{parse(t, widgets)})
	for resource, want := range map[string][]string{
		"apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: x, nmae: y}\n": {
			"missing-field spec", "unknown-field metadata.nmae"},
		"apiVersion: example.com/v1\nkind: Widget\nspec: {size: small}\nstatus: {}\nextra: 1\n": {"unknown-field extra"},
		"apiVersion: example.com/v2\nkind: Widget\nwhatever: 1\n":                               nil, // no schema
		"apiVersion: example.com/v3\nkind: Widget\nwhatever: 1\n":                               nil, // no such version
		"apiVersion: example.com/v1\nkind: Gadget\nwhatever: 1\n":                               nil,
	} {
		if diff := cmp.Diff(want, summarize(k.Validate(parse(t, resource)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", resource, diff)
		}
	}
	if got := newest(t).Validate(parse(t, "apiVersion: example.com/v1\nkind: Widget\nextra: 1\n")); got != nil {
		t.Errorf("without the definition: %v", got)
	}
}

func TestOpenDefinitions(t *testing.T) {
	closed := parse(t, widgets)
	open := parse(t, strings.Replace(widgets, "  group:", "  preserveUnknownFields: true\n  group:", 1))
	old := parse(t, `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
spec:
  group: example.com
  version: v1
  names: {kind: Widget}
  validation: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: string}}}}}}
`)
	resource := parse(t, "apiVersion: example.com/v1\nkind: Widget\nspec: {size: 1, surplus: 2}\n")
	for _, c := range []struct {
		definition *yaml.Node
		want       []string
	}{
		{closed, []string{"wrong-type spec.size", "unknown-field spec.surplus"}},
		{open, []string{"wrong-type spec.size"}},
		{old, []string{"wrong-type spec.size"}},
	} {
		got := summarize(newest(t).WithCRDs([]*yaml.Node{c.definition}).Validate(resource))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Definitions that somebody is just typing give no schema, or part of one, and
// never a panic.
func TestBrokenDefinitions(t *testing.T) {
	lines := strings.SplitAfter(widgets, "\n")
	resource := parse(t, "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: x}\nspec: {size: small, list: [{a: 1}]}\n")
	for i := range lines {
		var document yaml.Node
		if yaml.Unmarshal([]byte(strings.Join(lines[:i], "")), &document) == nil && len(document.Content) > 0 {
			newest(t).WithCRDs([]*yaml.Node{&document}).Validate(resource)
		}
	}
	for _, schema := range []string{
		"[]", "text", "{type: 5}", "{type: object, properties: []}", "{type: array, items: [a]}", "{enum: {}}",
		"{required: x}", "{minimum: a, maxLength: -1, multipleOf: 0}", "{allOf: [], anyOf: {}, not: []}", "{$ref: '#/x'}",
	} {
		definition := strings.Split(widgets, "        type: object")[0]
		definition = strings.Replace(definition, "openAPIV3Schema:\n", "openAPIV3Schema: "+schema+"\n", 1)
		newest(t).WithCRDs([]*yaml.Node{parse(t, definition)}).Validate(resource)
	}
}

func TestDefinitionsThemselvesAreValidated(t *testing.T) {
	wrong := strings.NewReplacer("            type: object\n            description: What", "            typ: object\n            description: What",
		"scope: Namespaced", "scopes: Namespaced").Replace(widgets)
	want := []string{
		"missing-field spec.scope", "unknown-field spec.scopes ~scope",
		"unknown-field spec.versions.0.schema.openAPIV3Schema.properties.spec.typ ~type",
	}
	if diff := cmp.Diff(want, summarize(newest(t).Validate(parse(t, wrong)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := summarize(newest(t).Validate(parse(t, widgets))); got != nil {
		t.Errorf("the right one: %v", got)
	}
}

// The API server sets defaults before it validates: a field with one is never missing where its parent is there.
func TestDefaultsOfCustomResources(t *testing.T) {
	k := newest(t).WithCRDs([]*yaml.Node{parse(t, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [mode, size]
            properties:
              mode: {type: string, default: Auto}
              size: {type: string}
              list: {type: array, items: {type: object, required: [name, kind], properties: {name: {type: string}, kind: {type: string, default: A}}}}
              one:
                type: object
                properties: {a: {type: string, default: x}, b: {type: string}}
                oneOf: [{required: [a]}, {required: [b]}]
              inner:
                type: object
                properties: {a: {type: object, properties: {b: {type: string}}}}
                anyOf: [{properties: {a: {required: [b]}}}]
`)})
	for spec, want := range map[string][]string{
		"{size: small}":                                        nil,
		"{size: small, mode: null}":                            nil,
		"{mode: Auto}":                                         {"missing-field spec.size"},
		"{size: small, list: [{name: x}]}":                     nil,
		"{size: small, list: [{kind: x}]}":                     {"missing-field spec.list.0.name"},
		"{size: small, one: {}}":                               nil,
		"{size: small, one: {b: y}}":                           {"unsatisfied spec.one"},
		"{size: small, inner: {a: {}}}":                        {"unsatisfied spec.inner"},
		"{size: small, one: {a: 1}, inner: {a: {b: x}, c: x}}": {"wrong-type spec.one.a", "unknown-field spec.inner.c"},
	} {
		resource := "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: x}\nspec: " + spec + "\n"
		if diff := cmp.Diff(want, summarize(k.Validate(parse(t, resource)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", spec, diff)
		}
	}
}
