package cursor

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// SpecParts returns the parts of a field spec's path, which slashes separate.
func SpecParts(path string) []text.Span {
	var parts []text.Span
	start := 0
	for i := range len(path) {
		if path[i] == '/' && !strings.HasSuffix(path[start:i], `\`) {
			parts = append(parts, text.Span{Start: start, End: i})
			start = i + 1
		}
	}
	return append(parts, text.Span{Start: start, End: len(path)})
}

// SpecKey returns the key that a part of a field spec's path means.
func SpecKey(part string) string {
	return strings.TrimSuffix(strings.ReplaceAll(part, `\/`, "/"), "[]")
}

// UnderSpec returns the mappings that a way of keys leads to.
func UnderSpec(nodes []*yaml.Node, way []string) []*yaml.Node {
	var mappings []*yaml.Node
	var open func(n *yaml.Node)
	open = func(n *yaml.Node) {
		switch n.Kind {
		case yaml.MappingNode:
			mappings = append(mappings, n)
		case yaml.SequenceNode:
			for _, element := range n.Content {
				open(element)
			}
		}
	}
	for _, n := range nodes {
		open(n)
	}
	if len(way) == 0 {
		return mappings
	}
	var next []*yaml.Node
	for _, m := range mappings {
		for i := 0; i+1 < len(m.Content); i += 2 {
			if m.Content[i].Value == way[0] {
				next = append(next, m.Content[i+1])
			}
		}
	}
	return UnderSpec(next, way[1:])
}
