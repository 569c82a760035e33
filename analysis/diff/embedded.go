package diff

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// sides are the two trees of a resource, in which documents in strings have taken
// the place of the strings.
type sides struct{ before, after *yaml.Node }

// expand returns copies of the trees in which a string that differs, and on both
// sides holds a JSON or YAML document, is that document: it is then compared as
// what it means and not as it is laid out. The key says that it was a string.
func expand(before, after *yaml.Node) sides {
	s := sides{syntax.Copy(before), syntax.Copy(after)}
	if before != nil && after != nil {
		expandIn(s.before, s.after)
	}
	return s
}

func expandIn(before, after *yaml.Node) {
	for _, p := range children(before, after) {
		if p.before == nil || p.after == nil {
			continue
		}
		x, y, format := documents(p.before, p.after)
		if format == "" {
			expandIn(p.before, p.after)
			continue
		}
		expandIn(x, y)
		*p.before, *p.after = *x, *y
		for _, key := range []*yaml.Node{p.beforeKey, p.afterKey} {
			if key != nil {
				*key = *textNode(key.Value + " (" + format + ")")
			}
		}
	}
}

// documents returns what two strings hold, where they differ and both hold a
// mapping or a list in the same format.
func documents(before, after *yaml.Node) (x, y *yaml.Node, format string) {
	if before.Kind != yaml.ScalarNode || after.Kind != yaml.ScalarNode || before.Value == after.Value {
		return nil, nil, ""
	}
	x, format = document(before)
	y, other := document(after)
	if x == nil || y == nil || x.Kind != y.Kind || format != other {
		return nil, nil, ""
	}
	return x, y, format
}

// document reads a string as JSON, else as one YAML document of several lines: a
// single line with a colon is most likely prose.
func document(n *yaml.Node) (doc *yaml.Node, format string) {
	trimmed := strings.TrimSpace(n.Value)
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		return nil, ""
	case json.Valid([]byte(trimmed)) && strings.ContainsAny(trimmed[:1], "{["):
		format = "JSON"
	case strings.Contains(trimmed, "\n"):
		format = "YAML"
	default:
		return nil, ""
	}
	decoder := yaml.NewDecoder(strings.NewReader(n.Value))
	var first, second yaml.Node
	if decoder.Decode(&first) != nil || !errors.Is(decoder.Decode(&second), io.EOF) {
		return nil, ""
	}
	if doc = first.Content[0]; doc.Kind == yaml.ScalarNode || !isPlain(doc) {
		return nil, ""
	}
	return doc, format
}

// isPlain tells whether a document has no aliases, and only distinct texts as keys.
func isPlain(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return false
	}
	known := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if child.Kind != yaml.ScalarNode || child.ShortTag() != "!!str" || known[child.Value] {
				return false
			}
			known[child.Value] = true
		}
		if !isPlain(child) {
			return false
		}
	}
	return true
}
