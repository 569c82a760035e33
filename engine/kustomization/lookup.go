package kustomization

import (
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// FieldNode follows names from a mapping (or a document, or an alias of a
// mapping) and returns the key and value node of the last one; nil, nil where
// there is none. Names are found as kustomize finds them: the exact name is
// preferred to one in another case, the last one of equal names to the others.
// Merge keys are not followed.
func FieldNode(n *yaml.Node, names ...string) (key, value *yaml.Node) {
	value = rootOf(n)
	for _, name := range names {
		if value == nil {
			return nil, nil
		}
		key, value = field(resolveAlias(value), name)
	}
	return key, value
}

func field(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := len(n.Content) &^ 1; i >= 2; i -= 2 {
		k, v := n.Content[i-2], n.Content[i-1]
		switch {
		case k.Value == name:
			return k, v
		case key == nil && strings.EqualFold(k.Value, name):
			key, value = k, v
		}
	}
	return key, value
}
