// Package equal says whether two YAML nodes are equal, in the three senses that there are. Where a node was written never
// counts.
package equal

import (
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

// Values tells whether two nodes mean the same: the order of keys, quotes and comments do not count. Of a key that a
// mapping has twice the last one counts.
func Values(a, b *yaml.Node) bool {
	if a == nil || b == nil || a.Kind != yaml.MappingNode || b.Kind != yaml.MappingNode {
		return compare(a, b, sameTag, Values)
	}
	values := make(map[string]*yaml.Node, len(a.Content)/2)
	for i := 0; i+1 < len(a.Content); i += 2 {
		values[a.Content[i].Value] = a.Content[i+1]
	}
	seen := make(map[string]bool, len(values))
	for i := len(b.Content) - 2; i >= 0; i -= 2 {
		key := b.Content[i].Value
		if seen[key] {
			continue
		}
		seen[key] = true
		if value, ok := values[key]; !ok || !Values(value, b.Content[i+1]) {
			return false
		}
	}
	return len(seen) == len(values)
}

// Trees tells whether two nodes mean the same and have their keys in the same order.
func Trees(a, b *yaml.Node) bool { return compare(a, b, sameTag, Trees) }

// Texts tells whether two nodes are printed as the same text: styles, tags, anchors and comments count.
func Texts(a, b *yaml.Node) bool { return compare(a, b, sameWriting, Texts) }

// compare tells whether two nodes are alike themselves and their children are equal, one by one.
func compare(a, b *yaml.Node, alike, equal func(a, b *yaml.Node) bool) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	return a.Kind == b.Kind && a.Value == b.Value && alike(a, b) && slices.EqualFunc(a.Content, b.Content, equal)
}

func sameTag(a, b *yaml.Node) bool { return a.ShortTag() == b.ShortTag() }

func sameWriting(a, b *yaml.Node) bool {
	return a.Tag == b.Tag && a.Style == b.Style && a.Anchor == b.Anchor && a.Alias == b.Alias &&
		a.HeadComment == b.HeadComment && a.LineComment == b.LineComment && a.FootComment == b.FootComment
}
