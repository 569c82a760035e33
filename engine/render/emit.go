package render

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// lineWidth is the column behind which yaml.v2 breaks a line at a space.
const lineWidth = 80

// maxSimpleKey is the length in bytes from which yaml.v2 writes a key with `?`.
const maxSimpleKey = 128

// An emitter writes as yaml.v2's emitter does (emitterc.go there), whose state
// it keeps.
type emitter struct {
	out []byte
	// column is the 0-based column in characters.
	column int
	// whitespace says that the last character is one; indention that the line
	// holds nothing but indentation and indicators of blocks.
	whitespace, indention bool
}

// A style is how a string is written.
type style uint8

const (
	plain style = iota
	singleQuoted
	doubleQuoted
	literal
)

// styleOf chooses the style of a string.
func styleOf(s string, t traits) style {
	switch {
	case t&newline != 0:
		if t&special != 0 || s[len(s)-1] == ' ' || spaceBeforeBreak(s, t) {
			return doubleQuoted
		}
		return literal
	case t&special != 0, quotedByV2(s):
		return doubleQuoted
	case plainAllowed(s, t):
		return plain
	case t&separator != 0 && t&space != 0 && spaceAtSeparator(s):
		return doubleQuoted
	}
	return singleQuoted
}

func spaceBeforeBreak(s string, t traits) bool {
	if t&space == 0 {
		return false
	}
	return strings.Contains(s, " \n") ||
		t&separator != 0 && (strings.Contains(s, " \u2028") || strings.Contains(s, " \u2029"))
}

func spaceAtSeparator(s string) bool {
	for _, pair := range [...]string{" \u2028", " \u2029", "\u2028 ", "\u2029 "} {
		if strings.Contains(s, pair) {
			return true
		}
	}
	return false
}

// plainAllowed tells whether a string that is not empty may stand without
// quotes in a block.
func plainAllowed(s string, t traits) bool {
	if t&separator != 0 || s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	switch s[0] {
	case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return false
	case '?', ':', '-':
		if len(s) == 1 || s[1] == ' ' {
			return false
		}
	}
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") {
		return false
	}
	if t&colon != 0 && (s[len(s)-1] == ':' || t&space != 0 && strings.Contains(s, ": ")) {
		return false
	}
	return t&hash == 0 || t&space == 0 || !strings.Contains(s, " #")
}

// value writes a scalar that is no key into a block at the column.
func (e *emitter) value(v value, indent int) {
	if v.typed {
		e.word(v.text)
		return
	}
	e.text(v.text, v.traits, indent, true)
}

// key writes a key with its colon into a mapping at the column.
func (e *emitter) key(k *entry, indent int) {
	if len(k.key) <= maxSimpleKey && k.traits&lineBreak == 0 {
		e.text(k.key, k.traits, indent, false)
		e.out = append(e.out, ':')
		e.column++
		return
	}
	e.indicator('?')
	e.text(k.key, k.traits, indent, true)
	e.indent(indent)
	e.indicator(':')
}

// text writes a string; breaks says that lines may be broken.
func (e *emitter) text(s string, t traits, indent int, breaks bool) {
	indent = max(indent, 0) + 2
	switch styleOf(s, t) {
	case plain:
		e.plain(s, t, indent, breaks)
	case singleQuoted:
		e.singleQuoted(s, t, indent, breaks)
	case doubleQuoted:
		e.doubleQuoted(s, t, indent, breaks)
	case literal:
		e.literal(s, t, indent)
	}
}

// indent starts a line at the column, unless the line that was started holds
// nothing but what may stand before it.
func (e *emitter) indent(column int) {
	if !e.indention || e.column > column || e.column == column && !e.whitespace {
		e.lineBreak()
	}
	for ; e.column < column; e.column++ {
		e.out = append(e.out, ' ')
	}
	e.whitespace, e.indention = true, true
}

func (e *emitter) lineBreak() {
	e.out = append(e.out, '\n')
	e.column = 0
}

// indicator writes an indicator of a block, behind which another may follow.
func (e *emitter) indicator(c byte) {
	e.separate()
	e.out = append(e.out, c)
	e.column++
	e.whitespace = false
}

func (e *emitter) separate() {
	if !e.whitespace {
		e.out = append(e.out, ' ')
		e.column++
	}
}

// word writes an ASCII text without spaces as it is.
func (e *emitter) word(s string) {
	e.separate()
	e.out = append(e.out, s...)
	e.column += len(s)
	e.whitespace, e.indention = false, false
}

// write writes a piece of text without line breaks.
func (e *emitter) write(s string, t traits) {
	e.out = append(e.out, s...)
	if t&nonASCII == 0 {
		e.column += len(s)
	} else {
		e.column += utf8.RuneCountInString(s)
	}
}

func (e *emitter) plain(s string, t traits, indent int, breaks bool) {
	e.separate()
	e.indention = false
	if !breaks || t&space == 0 || e.column+len(s) <= lineWidth {
		e.write(s, t)
	} else {
		e.folded(s, t, indent)
	}
	e.whitespace, e.indention = false, false
}

// folded writes a text, broken at single spaces behind lineWidth.
func (e *emitter) folded(s string, t traits, indent int) {
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		if s[i+1] == ' ' {
			for s[i+1] == ' ' {
				i++
			}
			continue
		}
		e.write(s[start:i], t)
		start = i
		if e.column > lineWidth {
			e.indent(indent)
			start++
		}
	}
	e.write(s[start:], t)
}

// quote writes an opening or closing quote.
func (e *emitter) quote(c byte) {
	e.out = append(e.out, c)
	e.column++
	e.whitespace, e.indention = false, false
}

func (e *emitter) singleQuoted(s string, t traits, indent int, breaks bool) {
	e.separate()
	e.quote('\'')
	if t&separator == 0 && e.column+len(s) <= lineWidth && strings.IndexByte(s, '\'') < 0 {
		e.write(s, t)
	} else {
		e.singleQuotedLines(s, indent, breaks)
	}
	e.quote('\'')
}

func (e *emitter) singleQuotedLines(s string, indent int, breaks bool) {
	spaces, lineStart := false, false
	for i, r := range s {
		switch {
		case r == ' ':
			if breaks && !spaces && e.column > lineWidth && i > 0 && i < len(s)-1 && s[i+1] != ' ' {
				e.indent(indent)
			} else {
				e.character(r)
			}
			spaces = true
			continue
		case isSeparator(r):
			e.character(r)
			e.column = 0
			e.indention, lineStart = true, true
			continue
		case lineStart:
			e.indent(indent)
		}
		if r == '\'' {
			e.character(r)
		}
		e.character(r)
		e.indention, spaces, lineStart = false, false, false
	}
}

func isSeparator(r rune) bool { return r == 0x2028 || r == 0x2029 }

func (e *emitter) character(r rune) {
	e.out = utf8.AppendRune(e.out, r)
	e.column++
}

func (e *emitter) doubleQuoted(s string, t traits, indent int, breaks bool) {
	e.separate()
	e.quote('"')
	// yaml.v2 looks for the byte order mark at the start of the text wherever
	// it stands in it, and so escapes everything behind one.
	escapeAll := t&nonASCII != 0 && strings.HasPrefix(s, "\uFEFF")
	spaces := false
	for i, r := range s {
		switch {
		case escapeAll || mustEscape(r):
			e.escape(r)
			spaces = false
		case r != ' ':
			e.character(r)
			spaces = false
		case breaks && !spaces && e.column > lineWidth && i > 0 && i < len(s)-1:
			e.indent(indent)
			if s[i+1] == ' ' {
				e.character('\\')
			}
			spaces = true
		default:
			e.character(r)
			spaces = true
		}
	}
	e.quote('"')
}

func mustEscape(r rune) bool {
	switch {
	case r < 0x7F:
		return r < ' ' || r == '"' || r == '\\'
	case r < 0xA0:
		return true
	}
	return isSeparator(r) || r == byteOrderMark || r >= 0xFFFE
}

// shortEscapes are the characters with an escape of one letter.
var shortEscapes = map[rune]byte{
	0x00: '0', 0x07: 'a', 0x08: 'b', '\t': 't', '\n': 'n', 0x0B: 'v', 0x0C: 'f', '\r': 'r', 0x1B: 'e',
	'"': '"', '\\': '\\', 0x85: 'N', 0xA0: '_', 0x2028: 'L', 0x2029: 'P',
}

func (e *emitter) escape(r rune) {
	start := len(e.out)
	if c, ok := shortEscapes[r]; ok {
		e.out = append(e.out, '\\', c)
	} else if r <= 0xFF {
		e.out = fmt.Appendf(e.out, `\x%02X`, r)
	} else if r <= 0xFFFF {
		e.out = fmt.Appendf(e.out, `\u%04X`, r)
	} else {
		e.out = fmt.Appendf(e.out, `\U%08X`, r)
	}
	e.column += len(e.out) - start
}

// literal writes a text as a literal block.
func (e *emitter) literal(s string, t traits, indent int) {
	e.separate()
	e.out = append(e.out, '|')
	if s[0] == ' ' || breakLength(s) > 0 {
		e.out = append(e.out, '2')
	}
	e.out = append(e.out, chomping(s)...)
	e.lineBreak()
	e.whitespace, e.indention = true, true
	lineStart := true
	for s != "" {
		length := lineLength(s, t)
		if length > 0 {
			if lineStart {
				e.indent(indent)
			}
			e.write(s[:length], t)
			e.indention, lineStart = false, false
			s = s[length:]
			continue
		}
		size := breakLength(s)
		e.out = append(e.out, s[:size]...)
		e.column = 0
		e.indention, lineStart = true, true
		s = s[size:]
	}
}

// lineLength returns the length in bytes of the text before the first break.
func lineLength(s string, t traits) int {
	end := strings.IndexByte(s, '\n')
	if end < 0 {
		end = len(s)
	}
	if t&separator != 0 {
		if i := strings.IndexFunc(s[:end], isSeparator); i >= 0 {
			return i
		}
	}
	return end
}

// breakLength returns the length in bytes of the line break that a text in a
// literal block starts with, 0 if it starts with none.
func breakLength(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '\n':
		return 1
	case strings.HasPrefix(s, "\u2028"), strings.HasPrefix(s, "\u2029"):
		return len("\u2028")
	}
	return 0
}

// chomping returns the indicator that says how many breaks end the block.
func chomping(s string) string {
	last := endsInBreak(s)
	switch {
	case last == 0:
		return "-"
	case last == len(s), endsInBreak(s[:len(s)-last]) > 0:
		return "+"
	}
	return ""
}

// endsInBreak returns the length in bytes of the line break at a text's end.
func endsInBreak(s string) int {
	switch {
	case strings.HasSuffix(s, "\n"):
		return 1
	case strings.HasSuffix(s, "\u2028"), strings.HasSuffix(s, "\u2029"):
		return len("\u2028")
	}
	return 0
}
