package explain

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Value is what a field, or a whole resource, was at one moment. The zero value
// is a field that was not there.
type Value struct {
	node *yaml.Node // a copy
}

// NewValue returns what a node is now.
func NewValue(n *yaml.Node) Value {
	return Value{syntax.Copy(n)}
}

// Present tells whether the field was there.
func (v Value) Present() bool { return v.node != nil }

// Text returns the text of a scalar, and YAML as it is printed for the rest.
func (v Value) Text() string {
	switch {
	case v.node == nil:
		return ""
	case v.node.Kind == yaml.ScalarNode:
		return v.node.Value
	}
	return string(v.printed())
}

// Data returns the value as JSON has it: nil, a bool, a number, a string, a slice
// or a map.
func (v Value) Data() any {
	if v.node == nil {
		return nil
	}
	var data map[string]any
	if err := yaml.Unmarshal(v.wrapped(), &data); err != nil {
		return v.Text()
	}
	return data["v"]
}

// equal tells whether both print the same.
func (v Value) equal(other Value) bool {
	if v.Present() != other.Present() {
		return false
	}
	return !v.Present() || bytes.Equal(v.wrapped(), other.wrapped())
}

func (v Value) printed() []byte {
	text, err := render.Document(nil, v.node)
	if err != nil {
		return nil
	}
	return text
}

// wrapped prints a mapping with the value under the key v: scalars alone cannot
// be printed.
func (v Value) wrapped() []byte {
	key := &yaml.Node{Kind: yaml.ScalarNode, Value: "v", Tag: "!!str"}
	text, err := render.Document(nil, &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, v.node}})
	if err != nil {
		return []byte(v.node.Value)
	}
	return text
}

// OneLine returns the text of the value on one line, cut to about that many
// characters.
func (v Value) OneLine(limit int) string {
	text := strings.Join(strings.Fields(v.Text()), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

// withoutEmptyAnnotations leaves out what some steps leave behind and the end of
// every build takes away.
func withoutEmptyAnnotations(n *yaml.Node) *yaml.Node {
	_, metadata := syntax.Field(n, "metadata")
	_, annotations := syntax.Field(metadata, "annotations")
	if annotations == nil || annotations.Kind != yaml.MappingNode || len(annotations.Content) > 0 {
		return n
	}
	slim, outer := *metadata, *n
	at := slices.Index(metadata.Content, annotations)
	slim.Content = append(slices.Clone(metadata.Content[:at-1]), metadata.Content[at+1:]...)
	outer.Content = slices.Clone(n.Content)
	outer.Content[slices.Index(outer.Content, metadata)] = &slim
	return &outer
}
