package advice

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/textmerge"
	yaml "go.yaml.in/yaml/v3"
)

// DocumentFixes are those of a problem with an embedded document.
func DocumentFixes(f textmerge.Finding, p problem.Problem) []problem.Fix {
	if !f.HasFix {
		return nil
	}
	return []problem.Fix{{Title: fixTitle(f.New), File: p.File, Span: p.Span, New: f.New, Safe: f.Kind == textmerge.NotStrict}}
}

func fixTitle(instead string) string {
	if instead == "" {
		return "Remove it"
	}
	return "Write " + instead
}

// WrittenValue is where the text of a value stands.
type WrittenValue struct {
	Node *yaml.Node
	// Exact is true where the value stands there byte for byte, but for escapes
	// and indentation: at the offset, in bytes, of the text of that ID.
	Exact  bool
	File   text.FileID
	offset int
}

func (w WrittenValue) Span(s text.Span) text.Span {
	return text.Span{Start: s.Start + w.offset, End: s.End + w.offset}
}

// WhereWritten finds the text of a value by the place of its node: part of a
// literal, of a file or of a line of an env file, or else the scalar of a resource.
func (b *Adviser) WhereWritten(n *yaml.Node, value string) WrittenValue {
	file, line, column := b.Sources.Table().Place(n)
	source := b.Sources.Table().Source(file)
	if source == nil {
		return WrittenValue{Node: n}
	}
	if literal := b.Literals[[2]int{n.Line, n.Column}]; literal != nil {
		id := b.Sources.AddEmbedded(literal, literal.Value)
		for _, quotes := range []int{0, 1} {
			start := len(literal.Value) - quotes - len(value)
			if start >= 0 && strings.HasPrefix(literal.Value[start:], value) {
				return WrittenValue{n, true, id, start}
			}
		}
		return WrittenValue{Node: n}
	}
	at := source.Lines().MarkToOffset(line, column)
	if bytes.HasPrefix(source.Text()[at:], []byte(value)) {
		return WrittenValue{n, true, file, at}
	}
	id := b.Sources.AddEmbedded(n, value)
	root, _, span := b.Sources.Table().Resolve(id, text.Span{})
	_, exact := b.Sources.Table().EmbeddedOffset(id, span.Start)
	return WrittenValue{n, root != 0 && exact, id, 0}
}
