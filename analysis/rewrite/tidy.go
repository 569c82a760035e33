package rewrite

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// WithoutEntries returns a kustomization file without the entries of its fields that some byte offsets lie in. A field
// without entries goes, too. False means that there is nothing to take away, or that it cannot be taken away as text.
func WithoutEntries(content []byte, offsets []int) (after []byte, ok bool) {
	// From the end, so that what is removed does not move what is still to be.
	offsets = slices.Clone(offsets)
	slices.Sort(offsets)
	after = content
	for i, offset := range slices.Backward(offsets) {
		if i+1 < len(offsets) && offsets[i+1] == offset {
			continue
		}
		removed, found := edited(after, 0, func(d *document) ([]text.Edit, bool) {
			way := d.entryAround(offset)
			if way == nil {
				return nil, false
			}
			if parent := way[len(way)-2]; len(parent.node.Content) == 1 {
				way = way[:len(way)-1]
			}
			return d.remove(way)
		})
		if found {
			after, ok = removed, true
		}
	}
	return after, ok
}

// entryAround returns the way to the entry of a field of the kustomization that an offset lies in; nil for none.
func (d *document) entryAround(offset int) []slot {
	if d.root == nil || d.root.Kind != yaml.MappingNode {
		return nil
	}
	for i := 1; i < len(d.root.Content); i += 2 {
		field := d.root.Content[i]
		if field.Kind != yaml.SequenceNode {
			continue
		}
		for j, entry := range field.Content {
			if d.span(entry).Start <= offset && offset <= max(d.span(entry).End, d.contentEnd(entry)) {
				return []slot{{node: d.root}, {d.root, i, field}, {field, j, entry}}
			}
		}
	}
	return nil
}
