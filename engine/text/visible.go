package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns a text in which nothing is hidden, and nothing commands a terminal or
// turns the order of characters around: control characters, those for the direction of
// writing and those without width are written as escapes. Line ends and tabs stay.
func Visible(s string) string {
	if strings.IndexFunc(s, isHidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if escaped := EscapedRune(r, size); escaped != "" {
			b.WriteString(escaped)
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// EscapedRune returns how a character of a number of bytes is written that must not be
// printed as it is; empty for all others.
func EscapedRune(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size <= 1:
		return string(utf8.RuneError)
	case !isHidden(r):
		return ""
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// isHidden is true for what is not seen where it stands.
func isHidden(r rune) bool {
	if r >= ' ' && r < 0x7f || r == '\n' || r == '\t' || r == '\r' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}

// EscapeMarkdown returns the text of somebody else as Markdown that shows it and does
// nothing: no link, also of a bare address, no image, no element of HTML, no code.
func EscapeMarkdown(s string) string {
	s = Visible(s)
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case strings.IndexByte("\\`*_[]<>!|~&@", c) >= 0,
			c == ':' && strings.HasPrefix(s[i:], "://"),
			c == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"),
			c == '#' && (i == 0 || s[i-1] == '\n'):
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
