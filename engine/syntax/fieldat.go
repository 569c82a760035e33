package syntax

import (
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// FieldAt returns the value at a path of keys that are joined by slashes, nil where it is missing.
func FieldAt(n *yaml.Node, path string) *yaml.Node {
	for _, key := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if n == nil {
			return nil
		}
		_, n = Field(n, key)
	}
	return n
}

// Mappings returns the mappings in a list; none where n is not a list.
func Mappings(list *yaml.Node) []*yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list.Content), func(n *yaml.Node) bool { return n.Kind != yaml.MappingNode })
}

// TextAt returns the text of the scalar at a path, and its node; "" and nil where it is missing or null.
func TextAt(n *yaml.Node, path string) (string, *yaml.Node) {
	value := FieldAt(n, path)
	if value == nil || value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
		return "", nil
	}
	return value.Value, value
}

// TextsAt returns the texts at a path of each mapping in a list.
func TextsAt(list *yaml.Node, path string) []string {
	var all []string
	for _, element := range Mappings(list) {
		if text, _ := TextAt(element, path); text != "" {
			all = append(all, text)
		}
	}
	return all
}
