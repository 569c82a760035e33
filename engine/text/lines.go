package text

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Encoding is the unit in which an editor counts characters within a line.
type Encoding int

// The position encodings of LSP. The zero value is the protocol's default.
const (
	UTF16 Encoding = iota // UTF-16 code units
	UTF8                  // bytes
	UTF32                 // code points
)

// Position is an editor's place: 0-based line, and 0-based character in the
// unit of an Encoding.
type Position struct {
	Line, Character int
}

// Lines is the line index of one immutable text. Making one takes a few passes
// over the text; a conversion takes a binary search, and a look at one line if
// the text is not ASCII.
type Lines struct {
	text      []byte
	starts    []int // offset of the first byte of each line; never empty
	yamlLines []int // the same as yaml.v3 counts lines
	ascii     bool  // all units have one byte: no need to look at a line
}

// NewLines indexes the text, which must not change afterwards.
func NewLines(text []byte) *Lines {
	l := &Lines{text: text}
	l.starts = lineStarts(text, breakLength)
	l.yamlLines = l.starts
	if hasYAMLBreaks(text) {
		l.yamlLines = lineStarts(text, yamlBreakLength)
	}
	l.ascii = !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	return l
}

// Count returns the number of lines. The empty text has one.
func (l *Lines) Count() int { return len(l.starts) }

// LineSpan returns the bytes of a 0-based line without its line break and
// without a byte order mark.
func (l *Lines) LineSpan(line int) Span {
	line = clamp(line, 0, len(l.starts)-1)
	end := len(l.text)
	if line+1 < len(l.starts) {
		end = l.starts[line+1]
		end -= breakBefore(l.text, end)
	}
	return Span{l.starts[line], end}
}

// OffsetToPosition converts a byte offset to an editor's position. An offset
// inside a character is that character's, one inside a line break the line's
// end.
func (l *Lines) OffsetToPosition(offset int, encoding Encoding) Position {
	line := lineAt(l.starts, offset)
	span := l.LineSpan(line)
	return Position{line, l.units(l.text[span.Start:span.End], clamp(offset, span.Start, span.End)-span.Start, encoding)}
}

// PositionToOffset converts an editor's position to a byte offset. A character
// beyond the line is the line's end, one inside a surrogate pair its beginning.
func (l *Lines) PositionToOffset(p Position, encoding Encoding) int {
	if p.Line >= len(l.starts) {
		return len(l.text)
	}
	if p.Line < 0 {
		return l.starts[0]
	}
	span := l.LineSpan(p.Line)
	return span.Start + l.skipUnits(l.text[span.Start:span.End], p.Character, encoding)
}

// OffsetToLineColumn converts a byte offset to the 1-based line and 1-based
// column in code points that reports show.
func (l *Lines) OffsetToLineColumn(offset int) (line, column int) {
	p := l.OffsetToPosition(offset, UTF32)
	return p.Line + 1, p.Character + 1
}

// LineColumnToOffset converts a report's 1-based line and 1-based column in
// code points to a byte offset.
func (l *Lines) LineColumnToOffset(line, column int) int {
	return l.PositionToOffset(Position{line - 1, column - 1}, UTF32)
}

// MarkToOffset converts a 1-based line and 1-based column in runes, as yaml.v3
// writes them into a node, to a byte offset.
func (l *Lines) MarkToOffset(line, column int) int {
	if line > len(l.yamlLines) {
		return len(l.text)
	}
	if line < 1 {
		return l.yamlLines[0]
	}
	end := len(l.text)
	if line < len(l.yamlLines) {
		end = l.yamlLines[line]
	}
	start := l.yamlLines[line-1]
	return start + l.skipUnits(l.text[start:end], column-1, UTF32)
}

// OffsetToMark converts a byte offset to yaml.v3's 1-based line and 1-based
// column in runes.
func (l *Lines) OffsetToMark(offset int) (line, column int) {
	offset = clamp(offset, l.yamlLines[0], len(l.text))
	index := lineAt(l.yamlLines, offset)
	return index + 1, l.units(l.text[l.yamlLines[index]:], offset-l.yamlLines[index], UTF32) + 1
}

// CountMarkLines returns how many lines yaml.v3 begins within the bytes: what
// must be added to the line of a mark in a text that follows them.
func CountMarkLines(text []byte) int {
	if bytes.IndexByte(text, '\r') < 0 && !hasYAMLBreaks(text) {
		return bytes.Count(text, []byte{'\n'})
	}
	return len(lineStarts(text, yamlBreakLength)) - 1
}

// BreakLength returns the number of bytes of the line break at the offset as
// marks count lines, zero where there is none.
func BreakLength(text []byte, offset int) int { return yamlBreakLength(text, offset) }

const byteOrderMark = "\xef\xbb\xbf"

// lineStarts is one pass over the text. The byte order mark belongs to no
// line, so that nothing is ever inserted before it.
func lineStarts(text []byte, breakLength func([]byte, int) int) []int {
	starts := make([]int, 1, bytes.Count(text, []byte{'\n'})+1)
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		starts[0] = len(byteOrderMark)
	}
	for i := starts[0]; i < len(text); {
		length := 0
		if c := text[i]; c == '\n' || c == '\r' || c >= utf8.RuneSelf {
			length = breakLength(text, i)
		}
		if length == 0 {
			i++
			continue
		}
		i += length
		starts = append(starts, i)
	}
	return starts
}

func breakLength(text []byte, i int) int {
	switch {
	case text[i] == '\n':
		return 1
	case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
		return 2
	case text[i] == '\r':
		return 1
	}
	return 0
}

// yamlBreakLength counts CR CR LF as one break, because CR LF is replaced by
// LF before yaml.v3 sees the text, which leaves CR LF.
func yamlBreakLength(text []byte, i int) int {
	rest := text[i:]
	switch {
	case text[i] != '\r' && text[i] < utf8.RuneSelf:
		return breakLength(text, i)
	case bytes.HasPrefix(rest, []byte("\r\r\n")):
		return 3
	case bytes.HasPrefix(rest, []byte("\u0085")):
		return 2
	case bytes.HasPrefix(rest, []byte("\u2028")), bytes.HasPrefix(rest, []byte("\u2029")):
		return 3
	}
	return breakLength(text, i)
}

func hasYAMLBreaks(text []byte) bool {
	for _, unusual := range []string{"\r\r\n", "\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(text, []byte(unusual)) {
			return true
		}
	}
	return false
}

// breakBefore returns the length of the line break that ends at the offset.
func breakBefore(text []byte, end int) int {
	if end >= 2 && text[end-1] == '\n' && text[end-2] == '\r' {
		return 2
	}
	return 1
}

// lineAt returns the index of the line that holds the offset.
func lineAt(starts []int, offset int) int {
	return max(0, sort.SearchInts(starts, offset+1)-1)
}

// units returns the length of the characters that end at or before the byte
// offset within the line.
func (l *Lines) units(line []byte, offset int, encoding Encoding) int {
	if l.ascii {
		return offset
	}
	n := 0
	for i := 0; i < offset; {
		r, size := utf8.DecodeRune(line[i:])
		if i += size; i <= offset {
			n += width(r, size, encoding)
		}
	}
	return n
}

// skipUnits returns the number of bytes before the given character.
func (l *Lines) skipUnits(b []byte, count int, encoding Encoding) int {
	if l.ascii {
		return clamp(count, 0, len(b))
	}
	i := 0
	for i < len(b) && count > 0 {
		r, size := utf8.DecodeRune(b[i:])
		count -= width(r, size, encoding)
		if count < 0 {
			break
		}
		i += size
	}
	return i
}

func width(r rune, size int, encoding Encoding) int {
	switch {
	case encoding == UTF8:
		return size
	case encoding == UTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }

// LineBreak returns how a text ends its lines, by the first of them: "\n" or "\r\n".
func LineBreak(content []byte) string {
	if at := bytes.IndexByte(content, '\n'); at > 0 && content[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// LineLength returns the number of bytes before the first line break, or of all
// where there is none.
func LineLength(content []byte) int {
	if end := bytes.IndexAny(content, "\r\n"); end >= 0 {
		return end
	}
	return len(content)
}
