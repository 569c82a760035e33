package syntax

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Within is the text of a string in which an offset lies, for those who look into
// it as a document of its own while it is being typed.
type Within struct {
	// Text is the value as far as it is written, Offset the offset in it.
	Text   []byte
	Offset int
	// Host is the string, Steps lead to it from Root.
	Host  *yaml.Node
	Root  *yaml.Node
	Steps []Step

	lines  []withinLine // of a block scalar
	indent int
	table  *Table // of a quoted or plain one
	id     text.FileID
	quote  byte
}

// withinLine is a line of a block scalar.
type withinLine struct {
	outer, inner int // offsets of its beginning, behind the indentation
	length       int
}

// FindWithin finds the string at a byte offset of a text: a block scalar, or one
// that is quoted.
func FindWithin(content []byte, offset int) (Within, bool) {
	offset = max(0, min(offset, len(content)))
	table := NewTable()
	d := Parse(table, table.Add("", content)).DocumentAt(offset)
	if d == nil {
		return Within{}, false
	}
	at := d.Path(table, offset)
	if at.Node == nil || at.OnKey || at.Node.Kind != yaml.ScalarNode {
		return Within{}, false
	}
	w := Within{Host: at.Node, Root: d.Root, Steps: at.Steps, table: table}
	if at.Node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return w, w.readBlock(content, offset)
	}
	_, span := ValueSpan(table, at.Node)
	if at.Blank || span.Len() == 0 {
		return w, false
	}
	if c := content[span.Start]; c == '"' || c == '\'' {
		w.quote = c
	}
	w.id = table.AddEmbedded(at.Node, at.Node.Value)
	w.Text = []byte(at.Node.Value)
	var ok bool
	w.Offset, ok = table.EmbeddedOffset(w.id, offset)
	return w, ok && w.quote != 0
}

// readBlock cuts the lines of the block scalar out of the text, also those at its
// end that are blank and no part of the value.
func (w *Within) readBlock(content []byte, offset int) bool {
	start := bytes.LastIndexByte(content[:offset], '\n') + 1
	scanner, header := scanLines(content[:start])
	line := string(content[start:lineEnd(content, start)])
	if !scanner.inBlock(line, offset-start) {
		return false
	}
	lines := bytes.SplitAfter(content, []byte{'\n'})
	at := 0
	for _, l := range lines[:header+1] {
		at += len(l)
	}
	w.indent = blockIndentOf(lines[header+1:], scanner.blockParent, offset-start)
	var inner strings.Builder
	inside := false // and not in the indentation
	for _, l := range lines[header+1:] {
		written := strings.TrimRight(string(l), "\r\n")
		blanks := indentation(written)
		if len(l) == 0 || strings.TrimSpace(written) != "" && blanks <= scanner.blockParent {
			break
		}
		cut := min(w.indent, blanks)
		if at+w.indent <= offset && offset <= at+len(written) {
			w.Offset, inside = inner.Len()+offset-at-cut, true
		}
		w.lines = append(w.lines, withinLine{outer: at + cut, inner: inner.Len(), length: len(written) - cut})
		inner.WriteString(written[cut:] + "\n")
		at += len(l)
	}
	w.Text = []byte(inner.String())
	return inside
}

// blockIndentOf is the indentation of the first line with content, or, where there
// is none, that at which one types.
func blockIndentOf(lines [][]byte, parent, column int) int {
	for _, l := range lines {
		written := strings.TrimRight(string(l), "\r\n")
		if strings.TrimSpace(written) == "" {
			continue
		}
		if blanks := indentation(written); blanks > parent {
			return blanks
		}
		break
	}
	return column
}

// Outer returns where a span of the text stands in the text around it.
func (w *Within) Outer(span text.Span) text.Span {
	if w.lines == nil {
		_, _, outer := w.table.Resolve(w.id, span)
		return outer
	}
	return text.Span{Start: w.outerOffset(span.Start), End: w.outerOffset(span.End)}
}

func (w *Within) outerOffset(offset int) int {
	for _, l := range w.lines {
		if offset <= l.inner+l.length {
			return l.outer + max(0, offset-l.inner)
		}
	}
	last := w.lines[len(w.lines)-1]
	return last.outer + last.length
}

// IsBlock tells whether the string is a block scalar, in which lines stay lines.
func (w *Within) IsBlock() bool { return w.lines != nil }

// Written returns how a part of the text is written in the text around it.
func (w *Within) Written(part string) string {
	switch {
	case w.lines != nil:
		return strings.ReplaceAll(part, "\n", "\n"+strings.Repeat(" ", w.indent))
	case w.quote == '\'':
		return strings.ReplaceAll(part, "'", "''")
	}
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(part)
}
