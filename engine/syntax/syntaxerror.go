package syntax

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
)

// SyntaxError says why a text is not YAML, in our words.
type SyntaxError struct {
	Kind    ProblemKind // Malformed or InvalidCharacters
	Message string
	line    int // 1-based within the parsed text, zero if not known
}

// newSyntaxError reads the only thing that yaml.v3 gives: its message.
func newSyntaxError(err error) *SyntaxError {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &SyntaxError{Kind: Malformed}
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, after, _ := strings.Cut(rest, ": ")
		e.line, _ = strconv.Atoi(number)
		message = after
	}
	e.Message = message
	switch {
	case strings.Contains(message, "UTF-"), strings.Contains(message, "surrogate"),
		strings.Contains(message, "invalid Unicode character"), strings.Contains(message, "control characters"):
		e.Kind = InvalidCharacters
	}
	return e
}

// spanIn returns where in the source the error is, which happened in a piece.
func (e *SyntaxError) spanIn(source *Source, p piece) text.Span {
	if e.Kind == InvalidCharacters {
		return invalidCharacter(source.content, p.start)
	}
	lines := source.Lines()
	line, _ := lines.OffsetToLineColumn(lines.MarkToOffset(p.line+max(1, e.line), 1))
	span := lines.LineSpan(line - 1)
	for span.Start < span.End && (source.content[span.Start] == ' ' || source.content[span.Start] == '\t') {
		span.Start++
	}
	return span
}

// invalidCharacter returns the first character that yaml.v3 does not read.
func invalidCharacter(content []byte, from int) text.Span {
	for i := from; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && size == 1 || !isAllowed(r) {
			return text.Span{Start: i, End: i + size}
		}
		i += size
	}
	return text.Span{Start: from, End: from + bytes.IndexByte(append(content[from:len(content):len(content)], '\n'), '\n')}
}

// isAllowed is the set of characters of YAML 1.2 without the byte order mark,
// which yaml.v3 allows at the beginning of a line only.
func isAllowed(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85:
		return true
	case r < 0x20, r >= 0x7F && r < 0xA0, r >= 0xD800 && r < 0xE000, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return true
}
