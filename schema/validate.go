package schema

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/santhosh-tekuri/jsonschema/v5"
	yaml "go.yaml.in/yaml/v3"
)

// Validate returns what is wrong with one rendered resource, in the order of the
// document; nothing for a kind that is not known.
//
// Of what another program fills in before it is applied nothing is said, nor of
// what sops encrypted.
//
// What is required, in range or one of an enumeration is not asked of a status:
// the API server drops what a client says there before it looks at it.
func (k *Kubernetes) Validate(resource *yaml.Node) []Violation {
	return k.ValidateKnowing(resource, nil)
}

// Known returns what find says of the value of a resource's field, or what it said of it before: about, which is compared
// with ==, tells what is asked.
type Known func(value *yaml.Node, about any, find func() bool) bool

// ValidateKnowing is Validate where it may be known of the values of fields that they are right; known may be nil.
func (k *Kubernetes) ValidateKnowing(resource *yaml.Node, known Known) []Violation {
	if resource != nil && resource.Kind == yaml.DocumentNode && len(resource.Content) > 0 {
		resource = resource.Content[0]
	}
	name := nameOf(resource)
	if shape := k.shape(name); shape != nil && shape.acceptsKnowing(resource, 0, known) {
		return nil
	}
	return k.validate(resource, name)
}

// shape returns nil where the kind is not known.
func (k *Kubernetes) shape(name kindName) *shape {
	if custom, ok := k.custom[name]; ok {
		return custom.shape(k.builtin)
	}
	if definition, ok := k.builtin.kinds[name]; ok {
		return k.builtin.shape(definition)
	}
	return nil
}

// IsCustom tells whether a resource is of a kind that a custom resource definition
// defines.
func (k *Kubernetes) IsCustom(resource *yaml.Node) bool {
	if len(k.custom) == 0 {
		return false
	}
	_, custom := k.custom[nameOf(resource)]
	return custom
}

func (k *Kubernetes) validate(resource *yaml.Node, name kindName) []Violation {
	schema, err := k.compile(name)
	if err != nil {
		return nil
	}
	if schema == nil {
		return k.judgeKind(resource, name)
	}
	if isEncrypted(resource) {
		return nil
	}
	c := collector{schema: schema, resource: resource}
	var invalid *jsonschema.ValidationError
	if errors.As(schema.Validate(toMap(resource, 0)), &invalid) {
		c.collect(invalid)
	}
	if hasNull(resource, 0) {
		c.collectNulls(schema, resource, nil, nil)
	}
	return c.sorted()
}

// compile returns nil where the kind is not known.
func (k *Kubernetes) compile(name kindName) (*jsonschema.Schema, error) {
	if custom, ok := k.custom[name]; ok {
		return custom.compile(k.builtin)
	}
	if definition, ok := k.builtin.kinds[name]; ok {
		return k.builtin.compile(definition)
	}
	return nil, nil
}

// collector turns the errors of jsonschema into violations. It looks up what
// an error is about in the schema and in the resource, and does not read the
// error's message.
type collector struct {
	schema   *jsonschema.Schema
	resource *yaml.Node
	found    []located
}

// located is a violation with its place in the document's order: the position
// among the children, level by level.
type located struct {
	Violation
	order []int
}

// choices are keywords whose causes are about alternatives, none of which is the
// one that was meant for certain.
var choices = []string{"anyOf", "oneOf", "not"}

func (c *collector) collect(e *jsonschema.ValidationError) {
	schema, keyword := follow(c.schema, e.KeywordLocation)
	if len(e.Causes) > 0 && !slices.Contains(choices, keyword) {
		for _, cause := range e.Causes {
			c.collect(cause)
		}
		return
	}
	if schema == nil {
		return
	}
	path := splitPointer(e.InstanceLocation)
	node, order := descend(c.resource, path)
	if node == nil {
		return
	}
	f := finding{schema: schema, keyword: keyword, path: path, node: node}
	for _, v := range f.violations() {
		if !isOfStatus(v) && !isFilledIn(v) {
			c.found = append(c.found, located{v, append(slices.Clone(order), position(node, v.Node))})
		}
	}
}

// sorted returns the violations in the order of the document; conditions that
// several schemas make are told once.
func (c *collector) sorted() []Violation {
	slices.SortStableFunc(c.found, func(a, b located) int {
		if order := slices.Compare(a.order, b.order); order != 0 {
			return order
		}
		return strings.Compare(a.Message, b.Message)
	})
	var violations []Violation
	for i, l := range c.found {
		if i == 0 || l.Message != c.found[i-1].Message || l.Node != c.found[i-1].Node {
			violations = append(violations, l.Violation)
		}
	}
	return violations
}

// isOfStatus tells whether a violation is in the status of the resource, or of a
// claim in it, and does not matter there.
func isOfStatus(v Violation) bool {
	if v.Kind == UnknownField || v.Kind == WrongType {
		return false
	}
	for i, segment := range v.Path {
		if segment == "status" && i < len(v.Path)-1 && (i == 0 || i >= 2 && v.Path[i-2] == "volumeClaimTemplates") {
			return true
		}
	}
	return false
}

// follow returns the schema to which the location of a keyword leads, and the
// keyword that failed there.
func follow(schema *jsonschema.Schema, location string) (*jsonschema.Schema, string) {
	tokens := splitPointer(location)
	for i := 0; i < len(tokens) && schema != nil; {
		next, used := step(schema, tokens[i:])
		if next == nil {
			return schema, tokens[i]
		}
		schema, i = next, i+used
	}
	return schema, ""
}

// step returns nil where a keyword does not lead to another schema.
func step(s *jsonschema.Schema, tokens []string) (next *jsonschema.Schema, used int) {
	second := ""
	if len(tokens) > 1 {
		second = tokens[1]
	}
	switch tokens[0] {
	case referenceKeyword:
		if r, ok := s.Extensions[referenceKeyword].(*reference); ok {
			next = r.target()
		}
	case "properties":
		return s.Properties[second], 2
	case "items":
		next, _ = s.Items.(*jsonschema.Schema)
	case "additionalProperties":
		next, _ = s.AdditionalProperties.(*jsonschema.Schema)
	case "then":
		next = s.Then
	case "else":
		next = s.Else
	case "allOf":
		return entry(s.AllOf, second), 2
	}
	return next, 1
}

func entry(list []*jsonschema.Schema, index string) *jsonschema.Schema {
	if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(list) {
		return list[i]
	}
	return nil
}

// splitPointer splits a JSON pointer as jsonschema escapes it: for URLs, too.
func splitPointer(pointer string) []string {
	pointer = strings.TrimPrefix(pointer, "/")
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		tokens[i] = jsonpointer.Unescape(token)
	}
	return tokens
}

// descend returns the value at a path, and the position of each step among the
// children; nil where the path leads nowhere.
func descend(n *yaml.Node, path []string) (*yaml.Node, []int) {
	var order []int
	for _, segment := range path {
		n = resolved(n)
		at := childAt(n, segment)
		if at < 0 {
			return nil, nil
		}
		n, order = n.Content[at], append(order, at)
	}
	return resolved(n), order
}

// childAt returns the index in Content of the value of a key, the last where
// there are several, or of a list's entry; -1 where there is none.
func childAt(n *yaml.Node, segment string) int {
	at := -1
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == segment {
				at = i + 1
			}
		}
	case n.Kind == yaml.SequenceNode:
		if i, err := strconv.Atoi(segment); err == nil && i >= 0 && i < len(n.Content) {
			at = i
		}
	}
	return at
}

func resolved(n *yaml.Node) *yaml.Node {
	for i := 0; i < deepest && n != nil && n.Kind == yaml.AliasNode; i++ {
		n = n.Alias
	}
	return n
}

// position is where a node stands in another; -1 where that is itself.
func position(in, n *yaml.Node) int { return slices.Index(in.Content, n) }
