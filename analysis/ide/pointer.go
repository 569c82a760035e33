package ide

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// underPointer returns what a path of a JSON6902 patch leads to, and its key, or itself
// where it is in a list; nil, nil where there is nothing.
func underPointer(root *yaml.Node, pointer string) (key, value *yaml.Node) {
	before, keys := jsonpointer.Split(pointer)
	if before != "" || len(keys) == 0 {
		return nil, nil
	}
	parent := syntax.Lookup(root, keys[:len(keys)-1]...)
	value = syntax.Lookup(parent, keys[len(keys)-1])
	if value == nil {
		return nil, nil
	}
	return keyOf([]*yaml.Node{parent}, value), value
}

// pointerDefinition leads from a part of a path of a JSON6902 patch to the fields, in
// the state in which the patch meets the resources.
func (u *scope) pointerDefinition(ctx context.Context, c cursor.Cursor, e *cursor.Entry) (*Definition, error) {
	pointer, origin := u.pointerAt(c, e)
	if pointer == "" {
		return nil, nil
	}
	d := &Definition{Origin: origin}
	err := cursor.ReplayOn(ctx, u.Scope, e, e.FirstTargets(maxDefinitions), func(r *resource.Resource) {
		key, value := underPointer(r.Node, pointer)
		if value == nil || len(d.Places) >= maxDefinitions {
			return
		}
		d.nodes = append(d.nodes, u.fieldNodes(key, pointer)...)
		if value.Kind == yaml.ScalarNode && value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			key = value
		}
		if place, ok := u.Place(key); ok {
			d.Places = append(d.Places, u.firstLine(place))
		}
	}, nil)
	return d, err
}

// pointerAt returns the path under the cursor as far as the part that the cursor is in,
// and where that part is written; empty where it is in none.
func (u *scope) pointerAt(c cursor.Cursor, e *cursor.Entry) (pointer string, origin text.Span) {
	table := u.Build.Session().Table()
	for _, fact := range e.Patches {
		if fact.Patch == nil || fact.Patch.Kind != yaml.SequenceNode {
			continue
		}
		for _, operation := range fact.Patch.Content {
			for _, field := range []string{"path", "from"} {
				_, n := syntax.Field(operation, field)
				if n == nil || n.Kind != yaml.ScalarNode {
					continue
				}
				place, ok := cursor.PartPlace(table, n, cursor.Whole(n))
				if !ok || place.File != c.File || !place.Span.Contains(c.Offset) {
					continue
				}
				for _, part := range jsonpointer.Spans(n.Value) {
					if place, ok := cursor.PartPlace(table, n, part); ok && part.Len() > 0 && place.Span.Contains(c.Offset) {
						return n.Value[:part.End], place.Span
					}
				}
			}
		}
	}
	return "", text.Span{}
}
