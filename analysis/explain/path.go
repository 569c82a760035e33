package explain

import (
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// eachScalar calls yield for the scalars under a node that are no keys, and for
// what is empty, with their field paths.
func eachScalar(n *yaml.Node, yield func(path string, n *yaml.Node)) {
	var walk func(n *yaml.Node, path []string)
	walk = func(n *yaml.Node, path []string) {
		if len(n.Content) == 0 {
			yield(strings.Join(path, "."), n)
			return
		}
		for i, child := range n.Content {
			if step, ok := stepTo(n, i); ok {
				walk(child, append(path, step))
			}
		}
	}
	if n != nil {
		walk(n, nil)
	}
}

// stepTo writes the way to a child as a segment of a field path; false for a key.
func stepTo(n *yaml.Node, i int) (step string, ok bool) {
	if n.Kind == yaml.MappingNode {
		if i%2 == 0 {
			return "", false
		}
		return fieldpath.Escape(n.Content[i-1].Value), true
	}
	return elementStep(n, i), true
}

// plainName is a name that stands for itself in a field path.
var plainName = text.Regexp(`^[A-Za-z0-9_-]+$`)

// elementStep names an element of a list by its name where that is the only one:
// names last longer than positions.
func elementStep(list *yaml.Node, i int) string {
	_, name := syntax.Field(list.Content[i], "name")
	if name == nil || !plainName().MatchString(name.Value) || len(list.Content) > maxNamed {
		return strconv.Itoa(i)
	}
	for j, other := range list.Content {
		if _, n := syntax.Field(other, "name"); j != i && n != nil && n.Value == name.Value {
			return strconv.Itoa(i)
		}
	}
	return "[name=" + name.Value + "]"
}

// maxNamed is the length up to which a list is searched for equal names.
const maxNamed = 100

// Fields returns the field paths of a resource, those of mappings and lists included, in the order in which they are
// rendered.
func Fields(r *resource.Resource) []string {
	var fields []string
	var walk func(n *yaml.Node, path []string)
	walk = func(n *yaml.Node, path []string) {
		for i, child := range n.Content {
			if step, ok := stepTo(n, i); ok {
				below := append(path[:len(path):len(path)], step)
				fields = append(fields, strings.Join(below, "."))
				walk(child, below)
			}
		}
	}
	walk(r.Node, nil)
	return fields
}
