package advice

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// InsertBefore offers to write a field before another of the same mapping.
func (b *Adviser) InsertBefore(m, key *yaml.Node, field string) (problem.Fix, bool) {
	file, span := syntax.NodeSpan(b.Sources.Table(), key)
	return b.insertion(m, file, span.Start, "", field)
}

// insertAfter offers to write a field after the value of another.
func (b *Adviser) insertAfter(m, value *yaml.Node, field string) (problem.Fix, bool) {
	file, span := syntax.NodeSpan(b.Sources.Table(), value)
	return b.insertion(m, file, span.End, field, "")
}

// AddField is the fix that writes a field after the value of another, if it can
// be written.
func (b *Adviser) AddField(m, value *yaml.Node, field string) []problem.Fix {
	if fix, ok := b.insertAfter(m, value, field); ok {
		return []problem.Fix{fix}
	}
	return nil
}

// insertion writes a field of a mapping at an offset, with what separates it from
// the others behind the offset or before it.
func (b *Adviser) insertion(m *yaml.Node, file text.FileID, at int, after, before string) (problem.Fix, bool) {
	source := b.Sources.Table().Source(file)
	if source == nil || source.Host() != nil {
		return problem.Fix{}, false
	}
	field, separator := after+before, ", "
	if m.Style&yaml.FlowStyle == 0 {
		_, _, column := syntax.Place(m)
		separator = text.LineBreak(source.Text()) + strings.Repeat(" ", column-1)
		if after != "" {
			at += text.LineLength(source.Text()[at:]) // behind a comment
		}
	}
	fix := problem.Fix{Title: "Add " + field, File: file, Span: text.Span{Start: at, End: at}, New: before + separator}
	if after != "" {
		fix.New = separator + after
	}
	return fix, true
}
