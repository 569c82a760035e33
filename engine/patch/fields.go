package patch

import (
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// fieldIndex finds the fields of one mapping by name.
type fieldIndex struct {
	content []*yaml.Node
	byName  map[string]int // nil for a small mapping
}

// smallMapping is the number of fields up to which a search beats a map.
const smallMapping = 8

func indexFields(n *yaml.Node) fieldIndex {
	if n == nil {
		return fieldIndex{}
	}
	index := fieldIndex{content: n.Content}
	if len(n.Content) > 2*smallMapping {
		index.byName = make(map[string]int, len(n.Content)/2)
		for i := len(n.Content) - 2; i >= 0; i -= 2 {
			index.byName[n.Content[i].Value] = i
		}
	}
	return index
}

// find returns the index in Content of the first key of that name, or -1.
func (x fieldIndex) find(name string) int {
	if x.byName != nil {
		if i, ok := x.byName[name]; ok {
			return i
		}
		return -1
	}
	for i := 0; i+1 < len(x.content); i += 2 {
		if x.content[i].Value == name {
			return i
		}
	}
	return -1
}

// byKey sorts alternating keys and values by key.
type byKey []*yaml.Node

func (s byKey) Len() int           { return len(s) / 2 }
func (s byKey) Less(i, j int) bool { return s[2*i].Value < s[2*j].Value }
func (s byKey) Swap(i, j int) {
	s[2*i], s[2*j] = s[2*j], s[2*i]
	s[2*i+1], s[2*j+1] = s[2*j+1], s[2*i+1]
}

// takeMapDirective removes a known `$patch` directive from a mapping, and
// returns it; an unknown one is returned and stays. "" means none.
func takeMapDirective(patch *yaml.Node) string {
	for i := 0; i+1 < len(patch.Content); i += 2 {
		if patch.Content[i].Value != directiveKey {
			continue
		}
		directive := patch.Content[i+1].Value
		if !knownDirective(directive) {
			return unknownDirective
		}
		patch.Content = append(patch.Content[:i:i], patch.Content[i+2:]...)
		return directive
	}
	return ""
}

const (
	directiveKey     = "$patch"
	unknownDirective = "unknown"
)

func knownDirective(directive string) bool {
	return directive == "delete" || directive == "replace" || directive == "merge"
}

// keepPlaces gives the values of a replacement that equal those they replace
// the places of the latter, and tells whether the whole is equal.
func keepPlaces(old, replacement *yaml.Node) (equal bool) {
	if !syntax.Provenance || old.Kind != replacement.Kind {
		return false
	}
	switch old.Kind {
	case yaml.ScalarNode:
		equal = old.Value == replacement.Value && old.ShortTag() == replacement.ShortTag()
	case yaml.SequenceNode:
		equal = len(old.Content) == len(replacement.Content)
		for i := 0; i < min(len(old.Content), len(replacement.Content)); i++ {
			equal = keepPlaces(old.Content[i], replacement.Content[i]) && equal
		}
	case yaml.MappingNode:
		equal = keepFieldPlaces(old, replacement)
	}
	if equal {
		syntax.CopyPlace(replacement, old)
	}
	return equal
}

func keepFieldPlaces(old, replacement *yaml.Node) (equal bool) {
	index := indexFields(old)
	equal = len(old.Content) == len(replacement.Content)
	for i := 0; i+1 < len(replacement.Content); i += 2 {
		j := index.find(replacement.Content[i].Value)
		if j < 0 {
			equal = false
			continue
		}
		syntax.CopyPlace(replacement.Content[i], old.Content[j])
		equal = keepPlaces(old.Content[j+1], replacement.Content[i+1]) && equal
	}
	return equal
}
