package diff

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Field is a field that differs.
type Field struct {
	// Path is written as in a replacement: dots in keys are escaped, an entry of a
	// list is [name=NAME] where names tell the entries apart and else its 0-based
	// number. It leads on into a document that a string holds.
	Path string
	// Before and After are the values, as JSON; nil where the field is not there.
	Before, After json.RawMessage
}

// fields returns the fields that differ, in the order of the new side.
func fields(before, after *yaml.Node) []Field {
	var found []Field
	collect(&found, nil, before, after)
	return found
}

func collect(found *[]Field, path []string, before, after *yaml.Node) {
	if before != nil && after != nil {
		if equal.Values(before, after) {
			return
		}
		if x, y, format := documents(before, after); format != "" {
			before, after = x, y
		}
		if before.Kind == after.Kind && before.Kind != yaml.ScalarNode {
			known := len(*found)
			for _, p := range children(before, after) {
				collect(found, append(path[:len(path):len(path)], p.segment), p.before, p.after)
			}
			if len(*found) > known {
				return
			} // else only the order of a list differs
		}
	}
	*found = append(*found, Field{strings.Join(path, "."), value(before), value(after)})
}

func value(n *yaml.Node) json.RawMessage {
	if n == nil {
		return nil
	}
	var decoded any
	if err := n.Decode(&decoded); err == nil {
		if text, err := json.Marshal(decoded); err == nil {
			return text
		}
	}
	text, _ := json.Marshal(n.Value) // of a string there always is one
	return text
}

// child is a value on both sides; one of them can be nil. Keys are those of
// mappings.
type child struct {
	segment             string
	beforeKey, afterKey *yaml.Node
	before, after       *yaml.Node
}

// children pairs what two mappings or lists hold; nothing for others.
func children(before, after *yaml.Node) []child {
	switch {
	case before.Kind != after.Kind:
		return nil
	case before.Kind == yaml.MappingNode:
		return members(before, after)
	case before.Kind == yaml.SequenceNode:
		return entries(before, after)
	}
	return nil
}

func members(before, after *yaml.Node) []child {
	old, now := index(before), index(after)
	var all []child
	for _, k := range keys(before, after) {
		x, y := old[k], now[k]
		all = append(all, child{strings.ReplaceAll(k, ".", `\.`), x.key, y.key, x.value, y.value})
	}
	return all
}

type member struct{ key, value *yaml.Node }

func index(n *yaml.Node) map[string]member {
	byKey := map[string]member{}
	for i := 0; isMapping(n) && i+1 < len(n.Content); i += 2 {
		byKey[n.Content[i].Value] = member{n.Content[i], n.Content[i+1]}
	}
	return byKey
}

// keys returns the keys of two mappings, sorted: as kustomize prints them.
func keys(before, after *yaml.Node) []string {
	var all []string
	for _, n := range []*yaml.Node{before, after} {
		for i := 0; isMapping(n) && i+1 < len(n.Content); i += 2 {
			all = append(all, n.Content[i].Value)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// entries pairs the entries of two lists: by their names where all have one of
// their own, else by place, after what both lists begin and end with.
func entries(before, after *yaml.Node) []child {
	old, oldNamed := names(before)
	now, nowNamed := names(after)
	if oldNamed && nowNamed {
		return namedEntries(before, after, old, now)
	}
	x, y := before.Content, after.Content
	head := 0
	for head < len(x) && head < len(y) && equal.Values(x[head], y[head]) {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && equal.Values(x[len(x)-1-tail], y[len(y)-1-tail]) {
		tail++
	}
	x, y = x[head:len(x)-tail], y[head:len(y)-tail]
	var all []child
	for i := range max(len(x), len(y)) {
		c := child{segment: strconv.Itoa(head + i)}
		if i < len(x) {
			c.before = x[i]
		}
		if i < len(y) {
			c.after = y[i]
		}
		all = append(all, c)
	}
	return all
}

// names returns where in a list the entry of each name is.
func names(list *yaml.Node) (at map[string]int, named bool) {
	at = map[string]int{}
	for i, entry := range list.Content {
		_, name := syntax.Field(entry, "name")
		if name == nil || name.Kind != yaml.ScalarNode {
			return nil, false
		}
		if _, twice := at[name.Value]; twice {
			return nil, false
		}
		at[name.Value] = i
	}
	return at, true
}

func namedEntries(before, after *yaml.Node, old, now map[string]int) []child {
	var all []child
	for _, entry := range before.Content {
		_, name := syntax.Field(entry, "name")
		c := child{segment: "[name=" + strings.ReplaceAll(name.Value, ".", `\.`) + "]", before: entry}
		if i, ok := now[name.Value]; ok {
			c.after = after.Content[i]
		}
		all = append(all, c)
	}
	for _, entry := range after.Content {
		_, name := syntax.Field(entry, "name")
		if _, ok := old[name.Value]; !ok {
			all = append(all, child{segment: "[name=" + strings.ReplaceAll(name.Value, ".", `\.`) + "]", after: entry})
		}
	}
	return all
}
