package structure

import (
	"bytes"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Linked returns the spans that are one name and can be typed at once: that of an
// anchor and of its aliases. Other names stand in several files, or may differ on
// purpose; they are renamed. It is nil where the offset is in no such name.
func Linked(v *workspace.View, file string, offset int) []text.Span {
	c, ok := cursor.New(v.Session(), file, offset)
	if !ok {
		return nil
	}
	content := c.Table.Source(c.ID).Text()
	d := syntax.Parse(c.Table, c.ID).DocumentAt(offset)
	if d == nil || d.Root == nil {
		return nil
	}
	names := map[*yaml.Node][]text.Span{} // by the node that has the anchor
	var collect func(n *yaml.Node)
	collect = func(n *yaml.Node) {
		if n.Anchor != "" {
			if span, ok := anchorSpan(c.Table, content, n); ok {
				names[n] = append(names[n], span)
			}
		}
		if n.Kind == yaml.AliasNode && n.Alias != nil {
			if _, span := syntax.NodeSpan(c.Table, n); span.Len() > 1 {
				names[n.Alias] = append(names[n.Alias], text.Span{Start: span.Start + 1, End: span.End})
			}
		}
		for _, child := range n.Content {
			collect(child)
		}
	}
	collect(d.Root)
	for _, spans := range names {
		here := slices.ContainsFunc(spans, func(s text.Span) bool { return s.Contains(offset) })
		if here && len(spans) > 1 {
			return spans
		}
	}
	return nil
}

// anchorSpan returns the name of a node's anchor, which may stand behind a tag.
func anchorSpan(table *syntax.Table, content []byte, n *yaml.Node) (text.Span, bool) {
	_, whole := syntax.NodeSpan(table, n)
	_, value := syntax.ValueSpan(table, n)
	if value.Start <= whole.Start || value.Start > len(content) {
		return text.Span{}, false
	}
	at := bytes.Index(content[whole.Start:value.Start], []byte("&"+n.Anchor))
	if at < 0 {
		return text.Span{}, false
	}
	start := whole.Start + at + 1
	return text.Span{Start: start, End: start + len(n.Anchor)}, true
}
