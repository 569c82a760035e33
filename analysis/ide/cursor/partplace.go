package cursor

import (
	"bytes"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// PartPlace returns where a part of a scalar's text is written, in the file on disk
// and without the quotes of a whole text.
func PartPlace(table *syntax.Table, n *yaml.Node, part text.Span) (analysis.Place, bool) {
	id, line, column := table.Place(n)
	source := table.Source(id)
	if source == nil {
		return analysis.Place{}, false
	}
	if source.Host() == nil {
		// What has no quotes: also a line of an env file, which is no YAML.
		start := source.Lines().MarkToOffset(line, column)
		text, value := source.Text()[start:], []byte(n.Value)
		rest := bytes.TrimLeft(text, " \t\ufeff")
		if start += len(text) - len(rest); bytes.HasPrefix(rest, value) {
			return analysis.Place{File: source.Path(), Span: shifted(part, start)}, true
		}
	}
	file, path, span := table.InValue(n)(part)
	return analysis.Place{File: path, Span: span}, file != 0
}

func shifted(span text.Span, by int) text.Span {
	return text.Span{Start: span.Start + by, End: span.End + by}
}

func Whole(n *yaml.Node) text.Span { return text.Span{End: len(n.Value)} }
