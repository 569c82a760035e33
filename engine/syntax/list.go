package syntax

import (
	"encoding/json"
	"fmt"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// inlineLists replaces every FooList by its items, which go behind all other
// documents, as inlineAnyEmbeddedLists does in kustomize's resource factory. A
// list without the field items is a resource like any other.
func (r *reader) inlineLists(queue []*yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		_, kind := Field(n, "kind")
		if kind == nil || !strings.HasSuffix(kind.Value, "List") {
			out = append(out, n)
			continue
		}
		value, ok := r.plainMap(n)
		if !ok {
			continue
		}
		items, found := value["items"]
		if !found {
			out = append(out, n)
			continue
		}
		queue = append(queue, r.listItems(n, items)...)
	}
	return out
}

func (r *reader) listItems(list *yaml.Node, items any) []*yaml.Node {
	_, node := Field(list, "items")
	slice, ok := items.([]any)
	if !ok {
		if items != nil {
			r.reportNode(InvalidList, node, "items is not a list")
		}
		return nil
	}
	var out []*yaml.Node
	for i, item := range slice {
		out = append(out, r.dropInvalid(r.listItem(node.Content[i], item))...)
	}
	return out
}

// listItem takes an item through JSON and back, because kustomize does: the
// keys come out sorted, every string double-quoted, numbers and timestamps in
// JSON's spelling. An item that is a List itself is unwrapped here.
func (r *reader) listItem(n *yaml.Node, value any) []*yaml.Node {
	encoded, err := json.Marshal(value)
	if err != nil {
		r.reportNode(InvalidList, n, "the item cannot be written as JSON")
		return nil
	}
	document, problem := decode(encoded)
	if problem != nil {
		r.reportNode(InvalidList, n, problem.Message)
		return nil
	}
	if document == nil || document.Content[0].Tag == nullTag {
		return nil
	}
	root := document.Content[0]
	pl := placer{}
	pl.place(root)
	copyPlaces(root, n)
	var out []*yaml.Node
	for _, n := range unwrap(root, true) {
		if n = r.anchors.resolve(n, pl.found); n != nil {
			out = append(out, n)
		}
	}
	return out
}

// copyPlaces gives every node of a tree the place of the node at the same path
// in another; what has no counterpart gets its parent's counterpart's place.
func copyPlaces(to, from *yaml.Node) {
	CopyPlace(to, from)
	var entries map[string]int
	if to.Kind == yaml.MappingNode && from.Kind == yaml.MappingNode {
		entries = firstEntries(from.Content)
	}
	for i, child := range to.Content {
		switch {
		case entries != nil && i%2 == 0:
			key, value := from, from
			if at, found := entries[child.Value]; found {
				key, value = from.Content[at], from.Content[at+1]
			}
			CopyPlace(child, key)
			copyPlaces(to.Content[i+1], value)
		case entries == nil && to.Kind == from.Kind && i < len(from.Content):
			copyPlaces(child, from.Content[i])
		case entries == nil:
			copyPlaces(child, from)
		}
	}
}

// plainMap decodes a resource as yaml.v3 decodes it into a map[string]any,
// except that it takes linear time for maps with many keys.
func (r *reader) plainMap(n *yaml.Node) (map[string]any, bool) {
	d := plainDecoder{report: r.reportNode}
	value := d.mapping(n, true)
	m, ok := value.(map[string]any)
	return m, ok && !d.failed
}

type plainDecoder struct {
	report func(ProblemKind, *yaml.Node, string)
	failed bool
}

func (d *plainDecoder) fail(kind ProblemKind, n *yaml.Node, detail string) {
	d.failed = true
	d.report(kind, n, detail)
}

func (d *plainDecoder) value(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		return d.mapping(n, false)
	case yaml.SequenceNode:
		values := make([]any, len(n.Content))
		for i, item := range n.Content {
			values[i] = d.value(item)
		}
		return values
	}
	if n.ShortTag() == "!!str" {
		return n.Value
	}
	var value any
	if err := n.Decode(&value); err != nil {
		d.fail(InvalidList, n, fmt.Sprintf("%q is not a value of its tag %s", n.Value, n.Tag))
	}
	return value
}

// mapping returns a map[string]any if all keys are strings, or if they shall
// be read as strings, else a map[any]any, which JSON cannot hold.
func (d *plainDecoder) mapping(n *yaml.Node, stringKeys bool) any {
	d.checkUnique(n)
	stringKeys = stringKeys || hasStringKeys(n)
	named, other := map[string]any{}, map[any]any{}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], d.value(n.Content[i+1])
		switch {
		case isMergeKey(key):
			// added below, where the map itself has no such key
		case key.Kind != yaml.ScalarNode:
			d.fail(InvalidList, key, "the key is not a string")
		case !stringKeys:
			other[d.value(key)] = value
		case key.ShortTag() != nullTag:
			named[key.Value] = value
		}
	}
	if !stringKeys {
		return other
	}
	d.addMerged(n, named)
	return named
}

func (d *plainDecoder) checkUnique(n *yaml.Node) {
	type identity struct {
		kind  yaml.Kind
		value string
	}
	seen := make(map[identity]bool, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key := identity{n.Content[i].Kind, n.Content[i].Value}
		if seen[key] {
			d.fail(DuplicateKey, n.Content[i], key.value)
		}
		seen[key] = true
	}
}

func hasStringKeys(n *yaml.Node) bool {
	for i := 0; i < len(n.Content); i += 2 {
		if tag := n.Content[i].ShortTag(); tag != "!!str" && tag != mergeTag {
			return false
		}
	}
	return true
}

// addMerged adds what is left of a merge key: resolving aliases leaves one
// where a merged map had a merge key of its own.
func (d *plainDecoder) addMerged(n *yaml.Node, into map[string]any) {
	for i := 0; i < len(n.Content); i += 2 {
		if !isMergeKey(n.Content[i]) {
			continue
		}
		sources := []*yaml.Node{n.Content[i+1]}
		if sources[0].Kind == yaml.SequenceNode {
			sources = sources[0].Content
		}
		for _, source := range sources {
			d.addMissing(source, into)
		}
	}
}

func (d *plainDecoder) addMissing(source *yaml.Node, into map[string]any) {
	if source.Kind != yaml.MappingNode {
		d.fail(InvalidMerge, source, "")
		return
	}
	merged, _ := d.mapping(source, true).(map[string]any)
	for key, value := range merged {
		if _, found := into[key]; !found {
			into[key] = value
		}
	}
}

// isMergeKey is what yaml.v3 itself takes for a merge key.
func isMergeKey(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "<<" && (n.Tag == "" || n.Tag == "!" || n.ShortTag() == mergeTag)
}
