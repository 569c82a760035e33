package builder

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/textmerge"
	yaml "go.yaml.in/yaml/v3"
)

// documentFixes are those of a problem with an embedded document.
func documentFixes(f textmerge.Finding, p Problem) []Fix {
	if !f.HasFix {
		return nil
	}
	return []Fix{{Title: fixTitle(f.New), File: p.File, Span: p.Span, New: f.New, Safe: f.Kind == textmerge.NotStrict}}
}

func fixTitle(instead string) string {
	if instead == "" {
		return "Remove it"
	}
	return "Write " + instead
}

// writtenValue is where the text of a value stands.
type writtenValue struct {
	node *yaml.Node
	// exact is true where the value stands there byte for byte, but for escapes
	// and indentation: at the offset, in bytes, of the text of that ID.
	exact  bool
	file   text.FileID
	offset int
}

func (w writtenValue) span(s text.Span) text.Span {
	return text.Span{Start: s.Start + w.offset, End: s.End + w.offset}
}

// whereWritten finds the text of a value by the place of its node: part of a
// literal, of a file or of a line of an env file, or else the scalar of a resource.
func (b *adviser) whereWritten(n *yaml.Node, value string) writtenValue {
	file, line, column := b.sources.Table().Place(n)
	source := b.sources.Table().Source(file)
	if source == nil {
		return writtenValue{node: n}
	}
	if literal := b.literals[[2]int{n.Line, n.Column}]; literal != nil {
		id := b.sources.AddEmbedded(literal, literal.Value)
		for _, quotes := range []int{0, 1} {
			start := len(literal.Value) - quotes - len(value)
			if start >= 0 && strings.HasPrefix(literal.Value[start:], value) {
				return writtenValue{n, true, id, start}
			}
		}
		return writtenValue{node: n}
	}
	at := source.Lines().MarkToOffset(line, column)
	if bytes.HasPrefix(source.Text()[at:], []byte(value)) {
		return writtenValue{n, true, file, at}
	}
	id := b.sources.AddEmbedded(n, value)
	root, _, span := b.sources.Table().Resolve(id, text.Span{})
	_, exact := b.sources.Table().EmbeddedOffset(id, span.Start)
	return writtenValue{n, root != 0 && exact, id, 0}
}
