package linediff

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// Edits makes one text of another: the edits replace whole lines, those that differ
// and no others. Spans are in bytes of the text before.
func Edits(before, after string) []text.Edit {
	var edits []text.Edit
	offset, open := 0, false
	for _, op := range compare(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")) {
		if op.kind == ' ' {
			offset, open = offset+len(op.line), false
			continue
		}
		if !open {
			edits = append(edits, text.Edit{Span: text.Span{Start: offset, End: offset}})
			open = true
		}
		e := &edits[len(edits)-1]
		if op.kind == '+' {
			e.New += op.line
			continue
		}
		offset += len(op.line)
		e.End = offset
	}
	return edits
}
