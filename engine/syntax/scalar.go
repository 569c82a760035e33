package syntax

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
)

// scalarText is a scalar as it is written: where, and which bytes of the text
// each byte of the value comes from.
type scalarText struct {
	outer text.Span // with quotes or block header, without anchor and tag
	inner text.Span // without them; from the first byte of the value on
	value []byte
	runs  []run // in order of both value and text
}

// run says that bytes of the value come from bytes of the text: byte from
// byte where they are verbatim, else the whole from the whole, as with an
// escape or a folded line break.
type run struct {
	value, valueLength int
	host, hostLength   int
	verbatim           bool
}

// scanScalar reads the scalar that begins at the offset, as yaml.v3 does
// (scannerc.go). The expected value is needed because a plain scalar's end and
// an indentation indicator mean nothing without the context; whether the
// result is right shows when its value is the expected one.
func scanScalar(content []byte, start int, expected string) scalarText {
	s := scalarScanner{content: content, at: start, expected: expected}
	s.start = start
	switch s.peek() {
	case '"', '\'':
		s.quoted(s.peek())
	case '|', '>':
		s.block(s.peek())
	default:
		s.plain()
	}
	return s.scalarText
}

// cut leaves only as many bytes of the value.
func (s *scalarText) cut(length int) {
	s.value = s.value[:length]
	for i := len(s.runs) - 1; i >= 0; i-- {
		r := &s.runs[i]
		if over := r.value + r.valueLength - length; over <= 0 {
			break
		} else if r.value >= length {
			s.runs = s.runs[:i]
		} else if r.verbatim {
			r.valueLength -= over
			r.hostLength -= over
		}
	}
	if n := len(s.runs); n > 0 {
		s.inner.End = s.runs[n-1].host + s.runs[n-1].hostLength
	}
}

type scalarScanner struct {
	scalarText
	content   []byte
	start, at int
	expected  string
}

// peek returns the byte at hand, zero at the end; yaml.v3 allows no NUL.
func (s *scalarScanner) peek() byte { return s.peekAt(s.at) }

func (s *scalarScanner) peekAt(i int) byte {
	if i < 0 || i >= len(s.content) {
		return 0
	}
	return s.content[i]
}

func (s *scalarScanner) breakLength() int {
	if s.at >= len(s.content) {
		return 0
	}
	return text.BreakLength(s.content, s.at)
}

// emit appends bytes to the value that come from the text up to the offset.
func (s *scalarScanner) emit(from, to int, value ...byte) {
	verbatim := string(s.content[from:to]) == string(value)
	next := run{len(s.value), len(value), from, to - from, verbatim}
	s.value = append(s.value, value...)
	if n := len(s.runs); n > 0 && verbatim {
		last := &s.runs[n-1]
		if last.verbatim && last.host+last.hostLength == from {
			last.valueLength += next.valueLength
			last.hostLength += next.hostLength
			return
		}
	}
	s.runs = append(s.runs, next)
}

// copyTo copies the text up to the offset as it is.
func (s *scalarScanner) copyTo(end int) {
	if end > s.at {
		s.emit(s.at, end, s.content[s.at:end]...)
		s.at = end
	}
}

func (s *scalarScanner) quoted(quote byte) {
	s.at++
	s.inner.Start = s.at
	for s.at < len(s.content) && s.peek() != quote || s.escapedQuote(quote) {
		switch {
		case s.escapedQuote(quote):
			s.emit(s.at, s.at+2, '\'')
			s.at += 2
		case s.peek() == '\\' && quote == '"':
			s.escape()
		case isBlank(s.peek()) || s.breakLength() > 0:
			s.space(false)
		default:
			s.copyTo(s.at + 1)
		}
	}
	s.inner.End = s.at
	s.at = min(s.at+1, len(s.content))
	s.outer = text.Span{Start: s.start, End: s.at}
}

func (s *scalarScanner) escapedQuote(quote byte) bool {
	return quote == '\'' && s.peek() == quote && s.peekAt(s.at+1) == quote
}

// simpleEscapes are the one-letter escapes of double-quoted scalars.
var simpleEscapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '\'': "'", '\\': `\`, '/': "/", 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

var hexEscapes = map[byte]int{'x': 2, 'u': 4, 'U': 8}

func (s *scalarScanner) escape() {
	from := s.at
	s.at++
	if s.breakLength() > 0 {
		s.at += s.breakLength()
		s.space(true)
		return
	}
	letter := s.peek()
	end := min(s.at+1+hexEscapes[letter], len(s.content))
	if hexEscapes[letter] == 0 {
		s.emit(from, end, []byte(simpleEscapes[letter])...)
	} else {
		s.emit(from, end, utf8.AppendRune(nil, hexRune(s.content[s.at+1:end]))...)
	}
	s.at = end
}

func hexRune(digits []byte) rune {
	var r rune
	for _, c := range digits {
		switch {
		case c <= '9':
			r = r<<4 + rune(c-'0')
		default:
			r = r<<4 + rune(c|0x20-'a'+10)
		}
	}
	return r
}

// space reads blanks and line breaks within a quoted or plain scalar. Blanks
// beside a line break are dropped; a single break becomes a blank, of several
// the first is dropped. After an escaped break none is dropped.
func (s *scalarScanner) space(escapedBreak bool) {
	from := s.at
	var breaks []text.Span
	for {
		if length := s.breakLength(); length > 0 {
			breaks = append(breaks, text.Span{Start: s.at, End: s.at + length})
			s.at += length
		} else if isBlank(s.peek()) {
			s.at++
		} else {
			break
		}
	}
	switch {
	case escapedBreak:
		s.emitBreaks(breaks)
	case len(breaks) == 0:
		end := s.at
		s.at = from
		s.copyTo(end)
	case s.isSeparator(breaks[0]):
		s.emitBreaks(breaks)
	case len(breaks) == 1:
		s.emit(from, s.at, ' ')
	default:
		s.emitBreaks(breaks[1:])
	}
}

func (s *scalarScanner) emitBreaks(breaks []text.Span) {
	for _, b := range breaks {
		s.emitBreak(b)
	}
}

func (s *scalarScanner) emitBreak(b text.Span) {
	if s.isSeparator(b) {
		s.emit(b.Start, b.End, s.content[b.Start:b.End]...)
		return
	}
	s.emit(b.Start, b.End, '\n')
}

// isSeparator tells whether a break is U+2028 or U+2029, which yaml.v3 keeps.
func (s *scalarScanner) isSeparator(b text.Span) bool { return s.content[b.Start] == 0xE2 }

// plain reads as many bytes as the expected value has, since only its context
// could say where a plain scalar ends.
func (s *scalarScanner) plain() {
	s.inner.Start = s.at
	for len(s.value) < len(s.expected) && s.at < len(s.content) {
		from := len(s.value)
		if isBlank(s.peek()) || s.breakLength() > 0 {
			s.space(false)
		} else {
			s.copyTo(s.at + 1)
		}
		if !strings.HasPrefix(s.expected[from:], string(s.value[from:])) {
			s.plainByRule()
			break
		}
	}
	s.inner.End = s.at
	s.outer = s.inner
}

// plainByRule is for a scalar whose value is not the one that is written: it
// takes the rest of the line that a plain scalar can have outside a flow
// collection.
func (s *scalarScanner) plainByRule() {
	s.at, s.value, s.runs = s.start, nil, nil
	end := s.at
	for i := s.at; i < len(s.content) && text.BreakLength(s.content, i) == 0; i++ {
		c, next := s.content[i], s.peekAt(i+1)
		if c == ':' && (isBlank(next) || next == 0 || text.BreakLength(s.content, i+1) > 0) || c == '#' && isBlank(s.peekAt(i-1)) {
			break
		}
		if !isBlank(c) {
			end = i + 1
		}
	}
	s.copyTo(end)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// mapping is how the bytes of an embedded document map to its host.
type scalarMapping struct {
	runs  []run
	outer text.Span // of the whole scalar
	inner text.Span
	exact bool // else the scalar is not the value, and only outer is known
}

// toHost maps a span of the value to the bytes that it was written as.
func (m *scalarMapping) toHost(span text.Span) text.Span {
	if !m.exact {
		return m.outer
	}
	start := m.hostStart(span.Start)
	if span.End <= span.Start {
		return text.Span{Start: start, End: start}
	}
	return text.Span{Start: start, End: max(start, m.hostEnd(span.End))}
}

// hostStart is where the byte at the offset is written; at the end of the
// value, where the last byte ends.
func (m *scalarMapping) hostStart(offset int) int {
	i := sort.Search(len(m.runs), func(i int) bool { return m.runs[i].value+m.runs[i].valueLength > offset })
	if i == len(m.runs) {
		return m.hostEnd(offset)
	}
	r := m.runs[i]
	if r.verbatim {
		return r.host + max(0, offset-r.value)
	}
	return r.host
}

// hostEnd is where the byte before the offset ends.
func (m *scalarMapping) hostEnd(offset int) int {
	i := sort.Search(len(m.runs), func(i int) bool { return m.runs[i].value >= offset }) - 1
	if i < 0 {
		return m.inner.Start
	}
	r := m.runs[i]
	if r.verbatim {
		return r.host + min(offset-r.value, r.valueLength)
	}
	return r.host + r.hostLength
}

// fromHost maps an offset of the host to one of the value. An offset that
// belongs to no byte of the value, as in the indentation, is the next byte's.
func (m *scalarMapping) fromHost(offset int) (int, bool) {
	if !m.exact || !m.inner.Contains(offset) {
		return 0, false
	}
	i := sort.Search(len(m.runs), func(i int) bool { return m.runs[i].host+m.runs[i].hostLength > offset })
	if i == len(m.runs) {
		if i == 0 {
			return 0, true
		}
		return m.runs[i-1].value + m.runs[i-1].valueLength, true
	}
	r := m.runs[i]
	if r.verbatim && offset > r.host {
		return r.value + offset - r.host, true
	}
	return r.value, true
}
