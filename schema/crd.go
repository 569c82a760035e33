package schema

import (
	"encoding/json"
	"strings"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/santhosh-tekuri/jsonschema/v5"
	yaml "go.yaml.in/yaml/v3"
)

// WithCRDs returns a value that also knows the custom kinds which the
// CustomResourceDefinitions among the nodes define; other nodes are passed over.
// Of several definitions of a kind the last counts. The receiver stays as it is.
func (k *Kubernetes) WithCRDs(nodes []*yaml.Node) *Kubernetes {
	extended := &Kubernetes{k.builtin, map[kindName]*customKind{}}
	for name, custom := range k.custom {
		extended.custom[name] = custom
	}
	for _, n := range nodes {
		if n != nil && n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
			n = n.Content[0]
		}
		group, version, _ := strings.Cut(textOf(n, "apiVersion"), "/")
		if group == "apiextensions.k8s.io" && textOf(n, "kind") == "CustomResourceDefinition" {
			extended.define(field(n, "spec"), version)
		}
	}
	return extended
}

func (k *Kubernetes) define(spec *yaml.Node, apiVersion string) {
	group, kind := textOf(spec, "group"), textOf(field(spec, "names"), "kind")
	// v1beta1 prunes nothing unless it is told to; v1 everything.
	open := textOf(spec, "preserveUnknownFields") == "true" ||
		apiVersion == "v1beta1" && textOf(spec, "preserveUnknownFields") != "false"
	shared := field(field(spec, "validation"), "openAPIV3Schema")
	versions := resolved(field(spec, "versions"))
	if versions == nil || versions.Kind != yaml.SequenceNode || len(versions.Content) == 0 {
		k.add(group, textOf(spec, "version"), kind, shared, open)
		return
	}
	for _, version := range versions.Content {
		own := field(field(version, "schema"), "openAPIV3Schema")
		if own == nil {
			own = shared
		}
		k.add(group, textOf(version, "name"), kind, own, open)
	}
}

func (k *Kubernetes) add(group, version, kind string, schema *yaml.Node, open bool) {
	if group != "" && version != "" && kind != "" {
		k.custom[kindName{group + "/" + version, kind}] = &customKind{node: schema, open: open}
	}
}

// customKind is a version of a custom resource definition.
type customKind struct {
	node *yaml.Node // openAPIV3Schema; nil where nothing is said
	open bool       // unknown fields are kept

	convertOnce parallel.Once
	converted   string // JSON Schema

	compileOnce parallel.Once
	compiled    *jsonschema.Schema

	parseOnce parallel.Once
	parsed    *element

	shapeOnce parallel.Once
	shaped    *shape
}

func (c *customKind) shape(builtin *library) *shape {
	c.shapeOnce.Do(func() { c.shaped = parseShape(builtin, c.json()) })
	return c.shaped
}

// compile returns nil where the definition has no schema, or none that can be
// compiled: it is then as good as none.
func (c *customKind) compile(builtin *library) (*jsonschema.Schema, error) {
	const name = "custom"
	c.compileOnce.Do(func() {
		compiler := newCompiler(builtin.compile, func(string) (string, error) { return c.json(), nil })
		if compiled, err := compiler.Compile(scheme + name); err == nil {
			c.compiled = compiled
		}
	})
	return c.compiled, nil
}

func (c *customKind) json() string {
	c.convertOnce.Do(func() {
		converter := structural{open: c.open}
		encoded, err := json.Marshal(converter.root(c.node))
		if err != nil {
			encoded = []byte("{}")
		}
		c.converted = string(encoded)
	})
	return c.converted
}

func (c *customKind) element() *element {
	c.parseOnce.Do(func() {
		if json.Unmarshal([]byte(c.json()), &c.parsed) != nil {
			c.parsed = nil
		}
		c.parsed.escape()
	})
	return c.parsed
}

// escape makes the descriptions of somebody's definition Markdown that only shows them.
func (e *element) escape() {
	if e == nil {
		return
	}
	e.Description = text.EscapeMarkdown(e.Description)
	e.Items.escape()
	e.Additional.schema.escape()
	for _, property := range e.Properties {
		property.escape()
	}
}

// field returns the value of a mapping's field, nil where there is none.
func field(mapping *yaml.Node, name string) *yaml.Node {
	_, value := syntax.Field(resolved(mapping), name)
	return resolved(value)
}
