package kustomization

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// ReadCRDs reads a file of `crds`: OpenAPI definitions by type name, whose
// extensions say which fields hold names, labels and annotations
// (accumulator.LoadConfigFromCRDs). A CustomResourceDefinition is not of that
// form, and refused.
func ReadCRDs(doc *yaml.Node) (*TransformerConfig, []Problem) {
	r := &report{}
	v, ok := newConverter(r).document(rootOf(doc))
	if !ok {
		return &TransformerConfig{}, r.inOrder()
	}
	c := crdReader{report: r, definitions: map[string]*value{}, config: &TransformerConfig{}, telling: map[*value]bool{}}
	if v.kind != TypeObject {
		r.add(Problem{Kind: NotAMapping, Node: v.node, Want: TypeObject, Got: v.kind, Fatal: true})
		return c.config, r.inOrder()
	}
	for i := range v.members {
		c.define(&v.members[i])
	}
	for _, m := range v.members {
		if schema := c.definitions[m.name]; schema != nil && isKubernetesType(schema) {
			kind := m.name[strings.LastIndexByte(m.name, '.')+1:]
			c.read(kind, schema, nil, map[*value]bool{})
		}
	}
	return c.config, r.inOrder()
}

type crdReader struct {
	*report
	definitions map[string]*value
	config      *TransformerConfig
	// reads counts how often a type was read; telling is what says answered.
	reads   int
	telling map[*value]bool
}

// maxCRDReads is how often types are read: types that refer to each other twice have
// exponentially many paths, with which kustomize does not end.
const maxCRDReads = 20_000

// says tells whether a type, or one that it refers to, has a field that means something.
func (c *crdReader) says(schema *value, seen map[*value]bool) bool {
	if told, ok := c.telling[schema]; ok || seen[schema] {
		return told
	}
	seen[schema] = true
	properties, found := schema.at("properties"), false
	for i := 0; properties != nil && i < len(properties.members) && !found; i++ {
		property := &properties.members[i].value
		for _, m := range property.members {
			found = found || strings.HasPrefix(m.name, "x-kubernetes-")
		}
		if ref, ok := property.textAt("$ref"); ok && c.definitions[ref] != nil {
			found = found || c.says(c.definitions[ref], seen)
		}
	}
	if found || len(seen) == 1 || properties == nil {
		c.telling[schema] = found
	}
	return found
}

// define notes the schema of a type; anything but a mapping is refused.
func (c *crdReader) define(m *member) {
	c.enterKey(m.name)
	defer c.leave()
	switch m.value.kind {
	case TypeObject:
		for i := range m.value.members {
			if field := &m.value.members[i]; strings.EqualFold(field.name, "schema") {
				c.definitions[m.name] = &field.value
			}
		}
	case TypeNull:
	default:
		c.add(Problem{Kind: WrongType, Node: m.value.node, Want: TypeObject, Got: m.value.kind, Fatal: true})
	}
}

func isKubernetesType(schema *value) bool {
	properties := schema.at("properties")
	return properties != nil && properties.at("kind") != nil && properties.at("apiVersion") != nil && properties.at("metadata") != nil
}

func (v *value) at(name string) *value {
	for i := range v.members {
		if v.members[i].name == name {
			return &v.members[i].value
		}
	}
	return nil
}

// text returns a string field; ok is false where there is none.
func (v *value) textAt(name string) (text string, ok bool) {
	field := v.at(name)
	if field == nil || field.kind != TypeText {
		return "", false
	}
	return field.text, true
}

// read takes the fields of a type into the configuration, and those of the types
// that it refers to (loadCrdIntoConfig). A type inside itself is read once, where
// kustomize never ends.
func (c *crdReader) read(kind string, schema *value, path []string, active map[*value]bool) {
	properties := schema.at("properties")
	if properties == nil || active[schema] {
		return
	}
	if c.reads++; c.reads > maxCRDReads || !c.says(schema, map[*value]bool{}) {
		return
	}
	active[schema] = true
	defer delete(active, schema)
	for i := range properties.members {
		m := &properties.members[i]
		at := append(path[:len(path):len(path)], m.name)
		c.field(kind, &m.value, at)
		if ref, ok := m.value.textAt("$ref"); ok && c.definitions[ref] != nil {
			c.read(kind, c.definitions[ref], at, active)
		}
	}
}

func (c *crdReader) field(kind string, property *value, path []string) {
	spec := FieldSpec{Kind: kind, Path: strings.Join(path, "/")}
	one := &TransformerConfig{}
	if _, ok := property.textAt("x-kubernetes-annotation"); ok {
		one.CommonAnnotations = []FieldSpec{spec}
	}
	if _, ok := property.textAt("x-kubernetes-label-selector"); ok {
		one.CommonLabels = []FieldSpec{spec}
	}
	if _, ok := property.textAt("x-kubernetes-identity"); ok {
		one.NamePrefix = []FieldSpec{spec}
	}
	version, hasVersion := property.textAt("x-kubernetes-object-ref-api-version")
	target, hasKind := property.textAt("x-kubernetes-object-ref-kind")
	if hasVersion && hasKind {
		key, ok := property.textAt("x-kubernetes-object-ref-name-key")
		if !ok {
			key = "name"
		}
		spec.Path += "/" + key
		one.NameReference = []NameReference{{Version: version, Kind: target, FieldSpecs: []FieldSpec{spec}}}
	}
	if merged, conflict := c.config.Merge(one); conflict == nil {
		c.config = merged
	}
}
