// Package scalar answers two questions about YAML scalars, for the whole house: what a plain scalar reads as, under
// YAML 1.1 and 1.2, and how a text is written so that both read it as that very text.
//
// It knows texts only: no nodes' places, no files.
package scalar

import (
	"strconv"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"
)

// Write writes a text on one line so that YAML 1.1 and 1.2 read it as that text, as a key, as a value or as an entry of
// a list; inFlow says that it stands between brackets. The quotes of the style are kept; without a style the text is plain
// where that reads as the text, and otherwise in the quotes that need no escapes. Invalid UTF-8, which YAML cannot hold,
// becomes the replacement character.
func Write(value string, style yaml.Style, inFlow bool) string {
	single := style&yaml.SingleQuotedStyle != 0
	switch {
	case style&yaml.DoubleQuotedStyle != 0:
		return DoubleQuoted(value)
	case !single && ReadsAsText(value, inFlow):
		return value
	case (single || strings.ContainsAny(value, `"\`)) && isPrintableLine(value):
		return SingleQuoted(value)
	}
	return DoubleQuoted(value)
}

// ReadsAsText tells whether a text, written without quotes, is read as that text by YAML 1.1 and 1.2, as a key, as a
// value or as an entry of a list. It says no when in doubt.
func ReadsAsText(value string, inFlow bool) bool {
	if value == "" || value == "<<" || !IsOnePlain(value) || !isPrintableLine(value) || inFlow && strings.ContainsAny(value, ",?[]{}") {
		return false
	}
	plain := yaml.Node{Kind: yaml.ScalarNode, Value: value}
	return plain.ShortTag() == "!!str" && !NonStringInYAML11(value) && !isSexagesimal(value)
}

// DoubleQuoted writes a text between double quotes, so that it is both JSON and YAML.
func DoubleQuoted(value string) string {
	b := []byte{'"'}
	for _, r := range value {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case isPrintable(r):
			b = utf8.AppendRune(b, r)
		default:
			b = append(b, `\u`...)
			b = append(b, strconv.FormatInt(0x10000+int64(r), 16)[1:]...)
		}
	}
	return string(append(b, '"'))
}

// SingleQuoted writes a text between single quotes. They hold no line breaks and no control characters.
func SingleQuoted(value string) string { return "'" + strings.ReplaceAll(value, "'", "''") + "'" }

func isPrintableLine(value string) bool {
	return utf8.ValidString(value) && strings.IndexFunc(value, func(r rune) bool { return !isPrintable(r) }) < 0
}

// isPrintable tells whether YAML takes a character as it is, neither refusing it nor reading it as a line break or a
// byte order mark.
func isPrintable(r rune) bool {
	return r >= ' ' && r < 0x7F || r >= 0xA0 && r < 0xFFFE && r != '\u2028' && r != '\u2029' && r != '\uFEFF' || r > 0xFFFF
}

// isSexagesimal tells whether readers of YAML 1.1 that know numbers to the base of 60 take a text for one, as in 12:30.
// Neither yaml.v2 nor yaml.v3 does, yet both write quotes around it.
func isSexagesimal(value string) bool {
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789_") == "" }
	first, rest, ok := strings.Cut(strings.TrimLeft(value, "+-"), ":")
	if !ok || !digits(first) {
		return false
	}
	for _, part := range strings.Split(rest, ":") {
		whole, _, _ := strings.Cut(part, ".")
		if !digits(whole) || len(whole) > 2 || len(whole) == 2 && whole[0] > '5' {
			return false
		}
	}
	return true
}
