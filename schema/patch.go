package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// UnknownPatchFields returns the fields of a strategic merge patch that the kind
// which it patches does not have, in the order of the patch; nothing for a kind
// that is not known. The patch need not name its kind. Directives such as
// `$patch` are no fields, and a field that is to be removed (null) has to be
// known as well.
func (k *Kubernetes) UnknownPatchFields(apiVersion, kind string, patch *yaml.Node) []Violation {
	w := patchWalk{kubernetes: k}
	w.walk(patch, k.rootElement(kindName{apiVersion, kind}), nil)
	return w.found
}

type patchWalk struct {
	kubernetes *Kubernetes
	found      []Violation
}

func (w *patchWalk) walk(n *yaml.Node, e *element, path []string) {
	n, e = resolved(n), w.kubernetes.target(e)
	if n == nil || e == nil || len(path) > deepest {
		return
	}
	switch n.Kind {
	case yaml.DocumentNode:
		for _, child := range n.Content {
			w.walk(child, e, path)
		}
	case yaml.SequenceNode:
		for i, entry := range n.Content {
			w.walk(entry, e.Items, with(path, strconv.Itoa(i)))
		}
	case yaml.MappingNode:
		if e.Items != nil {
			return // of another type altogether
		}
		w.walkMapping(n, e, path)
	}
}

func (w *patchWalk) walkMapping(n *yaml.Node, e *element, path []string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		child := w.kubernetes.child(e, key.Value)
		switch {
		case strings.HasPrefix(key.Value, "$"):
		case child != nil:
			w.walk(value, child, with(path, key.Value))
		case e.Additional.closed:
			known := slices.Sorted(maps.Keys(e.Properties))
			w.found = append(w.found, unknownField(path, n, key, known))
		}
	}
}
