package render

import (
	"bytes"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Line is what one printed line shows.
type Line struct {
	// Key is the last key on the line, nil for none. Value is what follows it, or
	// the item of a list that begins on the line, or the text that an earlier line
	// began. Both are nodes of the document, not copies; nil where that holds
	// nothing like it.
	Key, Value *yaml.Node
	// Part is the 0-based line of Value's text that the line holds, where Value is
	// printed as a literal block and this is not its header; else -1.
	Part int
}

// Lines is Document, and tells of each line that it appends what it shows. It is
// slower than Document.
func Lines(dst []byte, n *yaml.Node) ([]byte, []Line, error) {
	w := walker{marking: true}
	out, printed, err := w.printDocument(dst, n)
	if err != nil {
		return dst, nil, err
	}
	if printed != n {
		c := correspondence{}
		c.pair(printed, n)
		for i, m := range w.marks {
			w.marks[i].key, w.marks[i].value = c[m.key], c[m.value]
		}
	}
	return out, linesOf(out[len(dst):], len(dst), w.marks), nil
}

// A mark says at which byte of the output a key or an item begins.
type mark struct {
	offset     int
	key, value *yaml.Node
}

// literalHeader ends the line above a literal block.
var literalHeader = text.Regexp(`(: |- )\|2?[-+]?$`)

// linesOf takes printed text apart; start is the offset at which it begins.
func linesOf(printed []byte, start int, marks []mark) []Line {
	var lines []Line
	var current Line
	literal := false
	for text := range bytes.Lines(printed) {
		start += len(text)
		began := false
		for len(marks) > 0 && marks[0].offset < start {
			if key := marks[0].key; key != nil || !began {
				current.Key = key
			}
			current.Value, began = marks[0].value, true
			marks = marks[1:]
		}
		switch {
		case began:
			current.Part = -1
			literal = literalHeader().Match(bytes.TrimSuffix(text, []byte("\n")))
		case literal:
			current.Key = nil
			current.Part++
		default:
			current.Key = nil
		}
		lines = append(lines, current)
	}
	return lines
}

// correspondence leads from the nodes of a round trip to those of the document.
type correspondence map[*yaml.Node]*yaml.Node

func (c correspondence) pair(decoded, n *yaml.Node) {
	for n != nil && (n.Kind == yaml.AliasNode || n.Kind == yaml.DocumentNode && len(n.Content) == 1) {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		} else {
			n = n.Content[0]
		}
	}
	if n == nil || c[decoded] != nil {
		return
	}
	c[decoded] = n
	switch {
	case decoded.Kind == yaml.SequenceNode && n.Kind == yaml.SequenceNode:
		for i, item := range decoded.Content[:min(len(decoded.Content), len(n.Content))] {
			c.pair(item, n.Content[i])
		}
	case decoded.Kind == yaml.MappingNode && n.Kind == yaml.MappingNode:
		entries := map[string][2]*yaml.Node{}
		collectEntries(entries, n, 0)
		for i := 0; i+1 < len(decoded.Content); i += 2 {
			if e, ok := entries[decoded.Content[i].Value]; ok {
				c.pair(decoded.Content[i], e[0])
				c.pair(decoded.Content[i+1], e[1])
			}
		}
	}
}

// maxMerges bounds how many merge keys are followed one through another.
const maxMerges = 100

// collectEntries finds the entries of a mapping by key, those that merge keys
// bring in included; what is there already stays.
func collectEntries(entries map[string][2]*yaml.Node, n *yaml.Node, merges int) {
	if n = target(n); n == nil || merges > maxMerges {
		return
	}
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			if item = target(item); item != nil && item.Kind == yaml.MappingNode {
				collectEntries(entries, item, merges+1)
			}
		}
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if _, ok := entries[n.Content[i].Value]; !ok {
			entries[n.Content[i].Value] = [2]*yaml.Node{n.Content[i], n.Content[i+1]}
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "<<" {
			collectEntries(entries, n.Content[i+1], merges+1)
		}
	}
}

func target(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
