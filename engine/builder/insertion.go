package builder

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// insertBefore offers to write a field before another of the same mapping.
func (b *adviser) insertBefore(m, key *yaml.Node, field string) (Fix, bool) {
	file, span := syntax.NodeSpan(b.sources.Table(), key)
	return b.insertion(m, file, span.Start, "", field)
}

// insertAfter offers to write a field after the value of another.
func (b *adviser) insertAfter(m, value *yaml.Node, field string) (Fix, bool) {
	file, span := syntax.NodeSpan(b.sources.Table(), value)
	return b.insertion(m, file, span.End, field, "")
}

// addField is the fix that writes a field after the value of another, if it can
// be written.
func (b *adviser) addField(m, value *yaml.Node, field string) []Fix {
	if fix, ok := b.insertAfter(m, value, field); ok {
		return []Fix{fix}
	}
	return nil
}

// insertion writes a field of a mapping at an offset, with what separates it from
// the others behind the offset or before it.
func (b *adviser) insertion(m *yaml.Node, file text.FileID, at int, after, before string) (Fix, bool) {
	source := b.sources.Table().Source(file)
	if source == nil || source.Host() != nil {
		return Fix{}, false
	}
	field, separator := after+before, ", "
	if m.Style&yaml.FlowStyle == 0 {
		_, _, column := syntax.Place(m)
		separator = text.LineBreak(source.Text()) + strings.Repeat(" ", column-1)
		if after != "" {
			at += text.LineLength(source.Text()[at:]) // behind a comment
		}
	}
	fix := Fix{Title: "Add " + field, File: file, Span: text.Span{Start: at, End: at}, New: before + separator}
	if after != "" {
		fix.New = separator + after
	}
	return fix, true
}
