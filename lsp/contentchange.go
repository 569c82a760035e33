package lsp

import (
	"bytes"
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
)

// applyChanges applies edits, each to the result of the one before. A range outside the
// text is moved into it. An editor with thousands of cursors sends thousands of edits at
// once, so the text is taken apart and put together again only once.
func applyChanges(content []byte, changes []protocol.TextDocumentContentChangeEvent, encoding text.Encoding) []byte {
	lines := splitLines(content)
	for _, change := range changes {
		switch c := change.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			lines = splitLines([]byte(c.Text))
		case *protocol.TextDocumentContentChangePartial:
			lines = applyChange(lines, c, encoding)
		}
	}
	return bytes.Join(lines, nil)
}

// splitLines takes a text apart into lines with their line breaks. The last one has none.
func splitLines(content []byte) [][]byte {
	index := text.NewLines(content)
	lines := make([][]byte, index.Count())
	start := 0
	for i := range lines {
		end := len(content)
		if i+1 < len(lines) {
			end = index.LineSpan(i + 1).Start
		}
		lines[i], start = content[start:end:end], end
	}
	return lines
}

// applyChange replaces the lines that a range touches, and changes none of them.
func applyChange(lines [][]byte, c *protocol.TextDocumentContentChangePartial, encoding text.Encoding) [][]byte {
	first, start := placeIn(lines, c.Range.Start, encoding)
	last, end := placeIn(lines, c.Range.End, encoding)
	if last < first || last == first && end < start {
		last, end = first, start
	}
	before := first
	if before > 0 && bytes.HasSuffix(lines[before-1], []byte("\r")) {
		before-- // it may become one line break with what follows
	}
	var piece []byte
	for _, line := range lines[before:first] {
		piece = append(piece, line...)
	}
	piece = append(piece, lines[first][:start]...)
	piece = append(piece, c.Text...)
	piece = append(piece, lines[last][end:]...)
	replaced := splitLines(piece)
	if last+1 < len(lines) {
		replaced = replaced[:len(replaced)-1] // it is empty, since a line break is the end
	}
	return slices.Replace(lines, before, last+1, replaced...)
}

// placeIn returns the line of a position, and the byte in it.
func placeIn(lines [][]byte, p protocol.Position, encoding text.Encoding) (line, offset int) {
	at := toPosition(p)
	if at.Line >= len(lines) {
		return len(lines) - 1, len(lines[len(lines)-1])
	}
	if at.Line == 0 {
		return 0, text.NewLines(lines[0]).PositionToOffset(text.Position{Character: at.Character}, encoding)
	}
	// Only at the beginning of a text is a byte order mark no part of the line.
	within := text.NewLines(append([]byte{'\n'}, lines[at.Line]...))
	return at.Line, within.PositionToOffset(text.Position{Line: 1, Character: at.Character}, encoding) - 1
}
