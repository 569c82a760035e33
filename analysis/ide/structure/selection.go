package structure

import (
	"slices"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// maxNested bounds how deep documents in strings are looked into.
const maxNested = 4

// Selection returns the spans around an offset, each within the next: the word or
// value, its entry, what that stands in, up to the file. They go into documents that
// are embedded in strings.
func Selection(v *workspace.View, file string, offset int) []text.Span {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil
	}
	table, id, tree := v.Session().Table(), v.Session().FileID(f), v.Session().Tree(f)
	spans := []text.Span{{End: len(f.Data)}}
	for range maxNested {
		d := tree.DocumentAt(offset)
		if d == nil || d.Root == nil {
			break
		}
		add := func(in text.FileID, span text.Span) {
			if _, _, span = table.Resolve(in, span); span.Len() > 0 {
				spans = append(spans, span)
			}
		}
		add(id, d.Span)
		inner, ok := table.EmbeddedOffset(id, offset)
		if !ok {
			break
		}
		at := d.Path(table, inner)
		add(syntax.NodeSpan(table, d.Root))
		for _, step := range at.Steps {
			if step.Key != nil {
				add(syntax.EntrySpan(table, step.Key, step.Value))
			}
			if !at.OnKey || step.Key != at.Node {
				add(syntax.NodeSpan(table, step.Value))
			}
		}
		n := at.Node
		if n == nil || at.Blank {
			break
		}
		add(syntax.NodeSpan(table, n))
		if n.Kind != yaml.ScalarNode {
			break
		}
		add(syntax.InnerSpan(table, n))
		if at.OnKey || !isDocument(n.Value) {
			break
		}
		id = v.Session().AddEmbedded(n, n.Value)
		tree = syntax.Parse(table, id)
	}
	return nested(spans, offset)
}

// isDocument tells whether a text is a mapping or a list.
func isDocument(value string) bool {
	table := syntax.NewTable()
	for _, d := range syntax.Parse(table, table.Add("", []byte(value))).Documents {
		if d.Root != nil && d.Root.Kind != yaml.ScalarNode {
			return true
		}
	}
	return false
}

// nested returns those spans that contain the offset, the innermost first, each
// within the next and no two the same.
func nested(spans []text.Span, offset int) []text.Span {
	var chain []text.Span
	for _, s := range spans {
		outer := text.Span{Start: 0, End: int(^uint(0) >> 1)}
		if len(chain) > 0 {
			outer = chain[len(chain)-1]
		}
		if s.Contains(offset) && s.Start >= outer.Start && s.End <= outer.End && s != outer {
			chain = append(chain, s)
		}
	}
	slices.Reverse(chain)
	return chain
}
