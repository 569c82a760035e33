package syntax

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// block reads a literal or folded block scalar. The outer span ends with its
// last line of content, without the line break; the inner one with the last
// byte that can belong to the value.
func (s *scalarScanner) block(indicator byte) {
	header := s.header()
	s.outer = text.Span{Start: s.start, End: header.end}
	lines := s.blockLines(header)
	s.inner = text.Span{Start: s.at, End: s.at}
	if len(lines) > 0 {
		s.inner.Start = lines[0].Start
	}
	s.appendLines(lines, indicator == '>', header.chomping)
	for _, line := range lines {
		s.inner.End = max(s.inner.End, line.next)
		if line.content {
			s.outer.End = line.End
		}
	}
}

type blockHeader struct {
	end      int  // offset after the last indicator
	chomping byte // '-', '+' or zero
	explicit bool // the indentation is written
}

func (s *scalarScanner) header() blockHeader {
	s.at++
	h := blockHeader{}
	for {
		switch c := s.peek(); {
		case c == '-' || c == '+':
			h.chomping = c
		case c >= '1' && c <= '9':
			h.explicit = true
		default:
			h.end = s.at
			s.toLineEnd()
			s.at += s.breakLength()
			return h
		}
		s.at++
	}
}

func (s *scalarScanner) toLineEnd() {
	for s.at < len(s.content) && s.breakLength() == 0 {
		s.at++
	}
}

// blockLine is a line of a block scalar without its indentation and break.
type blockLine struct {
	text.Span
	next    int  // offset of the following line
	content bool // not only a break, after the indentation
}

// blockLines reads to the first line that is indented less than the first one
// with content and is not empty.
func (s *scalarScanner) blockLines(header blockHeader) []blockLine {
	indent := s.blockIndent(header)
	var lines []blockLine
	for s.at < len(s.content) {
		lineStart := s.at
		for s.at < lineStart+indent && s.peek() == ' ' {
			s.at++
		}
		indented := s.at == lineStart+indent
		line := blockLine{Span: text.Span{Start: s.at}}
		line.content = s.at < len(s.content) && s.breakLength() == 0
		if line.content && !indented {
			s.at = lineStart
			break
		}
		s.toLineEnd()
		line.End = s.at
		s.at += s.breakLength()
		line.next = s.at
		lines = append(lines, line)
	}
	return lines
}

// noIndent is that of a block scalar without content, whatever follows it.
const noIndent = 1 << 30

// blockIndent returns the number of blanks that every line begins with: those
// of the first line that is not blank, or, where the indentation is written as
// an indicator, those which a line has more than the same line of the value.
func (s *scalarScanner) blockIndent(header blockHeader) int {
	first := strings.TrimLeft(s.expected, "\n\r\u0085\u2028\u2029")
	if first == "" {
		return noIndent
	}
	line := strings.Count(s.expected[:len(s.expected)-len(first)], "\n")
	column := 0
	for i := s.at; i < len(s.content); i++ {
		switch {
		case s.content[i] == ' ':
			column++
		case text.BreakLength(s.content, i) == 0 && !header.explicit:
			return column
		case header.explicit && line == 0:
			return column - leadingBlanks(first)
		case text.BreakLength(s.content, i) > 0:
			i += text.BreakLength(s.content, i) - 1
			column = 0
			line--
		}
	}
	if header.explicit && line == 0 {
		return column - leadingBlanks(first)
	}
	return noIndent
}

func leadingBlanks(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// appendLines makes the value of the lines. What follows the last line of
// content is kept, cut or clipped to one line break.
func (s *scalarScanner) appendLines(lines []blockLine, folded bool, chomping byte) {
	last := -1
	for i, line := range lines {
		if line.content {
			last = i
		}
	}
	breaks := []text.Span{}
	afterContent, blankLine := false, false
	for _, line := range lines[:last+1] {
		if !line.content {
			breaks = append(breaks, text.Span{Start: line.End, End: line.next})
			continue
		}
		startsBlank := isBlank(s.content[line.Start])
		s.joinLines(breaks, folded && afterContent && !blankLine && !startsBlank, afterContent)
		s.emit(line.Start, line.End, s.content[line.Start:line.End]...)
		breaks = append(breaks[:0], text.Span{Start: line.End, End: line.next})
		afterContent, blankLine = true, startsBlank
	}
	s.trailingBreaks(lines, last, chomping)
}

// joinLines writes the breaks between two lines of content, the first of which
// ends a line of content if there was one.
func (s *scalarScanner) joinLines(breaks []text.Span, fold, afterContent bool) {
	switch {
	case !fold || !afterContent || s.isSeparator(breaks[0]):
		s.emitBreaks(breaks)
	case len(breaks) == 1:
		s.emit(breaks[0].Start, breaks[0].End, ' ')
	default:
		s.emitBreaks(breaks[1:])
	}
}

func (s *scalarScanner) trailingBreaks(lines []blockLine, last int, chomping byte) {
	for i := max(last, 0); i < len(lines); i++ {
		ends := i == last
		if lines[i].next > lines[i].End && (ends && chomping != '-' || chomping == '+') {
			s.emitBreak(text.Span{Start: lines[i].End, End: lines[i].next})
		}
	}
}
