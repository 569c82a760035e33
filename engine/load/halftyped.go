package load

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// halfTyped is the set of the list entries of a file that hold a syntax error.
// The parser mended them in its own way: what they would do to the resources is
// not what was meant, and what follows from it is no mistake of the user's.
type halfTyped map[*yaml.Node]bool

// HalfTypedIn finds the entries in the lists of a kustomization's fields, or of
// a file that is itself a list.
func HalfTypedIn(table *syntax.Table, parsed *syntax.File) halfTyped {
	var found halfTyped
	for _, p := range parsed.Problems {
		if p.Kind != syntax.Malformed && p.Kind != syntax.InvalidCharacters || len(parsed.Documents) == 0 {
			continue
		}
		source, list := table.Source(p.File), parsed.Documents[0].Root
		if source == nil {
			continue
		}
		line, column := source.Lines().OffsetToMark(p.Span.Start)
		at := mark{line, column}
		if list == nil {
			continue
		}
		if found == nil {
			found = halfTyped{}
		}
		if list.Kind == yaml.MappingNode {
			list = valueAt(list, at)
		}
		if entry := entryAt(list, at); entry != nil {
			found[entry] = true
		}
	}
	return found
}

// mark is a place as yaml.v3 counts: line and column from 1, in runes.
type mark struct{ line, column int }

func markOf(n *yaml.Node) mark {
	_, line, column := syntax.Place(n)
	return mark{line, column}
}

func (m mark) before(other mark) bool {
	return m.line < other.line || m.line == other.line && m.column < other.column
}

// valueAt returns the value of the last key that begins at the mark or before it.
func valueAt(mapping *yaml.Node, at mark) *yaml.Node {
	var value *yaml.Node
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if !at.before(markOf(mapping.Content[i])) {
			value = mapping.Content[i+1]
		}
	}
	return value
}

// entryAt returns the last entry of a list that begins at the mark or before it.
// What stands no deeper than the dashes of the list is none of it.
func entryAt(list *yaml.Node, at mark) *yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	begin := markOf(list)
	if list.Style&yaml.FlowStyle == 0 && at.line != begin.line && at.column <= begin.column {
		return nil
	}
	var entry *yaml.Node
	for _, e := range list.Content {
		if !at.before(markOf(e)) || at == begin {
			entry = e // where the list itself is not closed, the last one is being typed
		}
	}
	return entry
}

// holds tells whether a node is in one of the entries.
func (h halfTyped) holds(n *yaml.Node) bool {
	for entry := range h {
		if within(entry, n) {
			return true
		}
	}
	return false
}

func within(tree, n *yaml.Node) bool {
	return tree == n || slices.ContainsFunc(tree.Content, func(child *yaml.Node) bool { return within(child, n) })
}
