package patch

import (
	"sort"
	"strings"

	"github.com/kustomize-lsp/kls/engine/scalar"
	yaml "go.yaml.in/yaml/v3"
)

// simpleOperations returns the JSON form of a patch whose text yaml/v2 surely reads as
// yaml.v3 read the tree; it returns nil for all others, and where the tree is no list of
// mappings. Most patches are a few lines of words, for which four more parsers cost more
// than all that is done with what they say.
func simpleOperations(text string, tree *yaml.Node) *yaml.Node {
	if tree == nil || tree.Kind != yaml.SequenceNode || !isSimpleSource(text) {
		return nil
	}
	for _, operation := range tree.Content {
		if operation.Kind != yaml.MappingNode {
			return nil
		}
	}
	if saysOtherwiseInYAML11(tree) {
		return nil
	}
	return jsonFormOfSimpleList(tree)
}

// jsonFormOfSimpleList is jsonFormOfSimple for a list; its mappings are sorted, as
// encoding/json prints them.
func jsonFormOfSimpleList(list *yaml.Node) *yaml.Node {
	wrapped := jsonFormOfSimple(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		{Kind: yaml.ScalarNode, Tag: stringTag, Value: "list"}, list}}, flowContext) // nothing but what is simple
	if wrapped == nil {
		return nil
	}
	sortFields(wrapped.Content[1])
	return wrapped.Content[1]
}

func sortFields(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		sort.Sort(byKey(n.Content))
	}
	for _, child := range n.Content {
		sortFields(child)
	}
}

// isSimpleSource tells whether a text has nothing in it that the scanners of yaml/v2 and
// yaml.v3 could take differently: words, quotes without escapes, and the indicators of
// lists and mappings where what follows shows that they are some. It has one document.
func isSimpleSource(text string) bool {
	flow := strings.ContainsAny(text, "{[")
	if text[0] != '-' || strings.HasPrefix(text, "---") || strings.Contains(text, "\n---") || strings.Contains(text, "\n...") {
		return false
	}
	for i := range len(text) {
		c, next := text[i], byte('\n')
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte(" \n_./~-+=;()\"'{}[]", c) >= 0:
		case c == ':' && (next == ' ' || next == '\n' || !flow && next != ':'):
		case c == ',' && (next == ' ' || next == '\n'):
		default:
			return false
		}
	}
	return true
}

// saysOtherwiseInYAML11 tells whether a plain scalar is a string to yaml.v3 alone.
func saysOtherwiseInYAML11(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return n.Style == 0 && n.ShortTag() == stringTag && scalar.NonStringInYAML11(n.Value)
	}
	for _, child := range n.Content {
		if saysOtherwiseInYAML11(child) {
			return true
		}
	}
	return false
}
