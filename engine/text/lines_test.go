package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"
)

// Characters of 1, 2, 3 and 4 bytes; the last takes two UTF-16 units.
const sample = "a\tb\r\nxé€😀z\n\nlast"

func TestOffsetToPosition(t *testing.T) {
	at := func(needle string) int { return strings.Index(sample, needle) }
	for _, tt := range []struct {
		name               string
		offset             int
		line               int
		utf8, utf16, utf32 int
	}{
		{"first byte", 0, 0, 0, 0, 0},
		{"a tab is one character", at("b"), 0, 2, 2, 2},
		{"before CR LF", at("\r"), 0, 3, 3, 3},
		{"between CR and LF", at("\r") + 1, 0, 3, 3, 3},
		{"start of the second line", at("x"), 1, 0, 0, 0},
		{"two bytes", at("é"), 1, 1, 1, 1},
		{"inside two bytes", at("é") + 1, 1, 1, 1, 1},
		{"three bytes", at("€"), 1, 3, 2, 2},
		{"inside three bytes", at("€") + 2, 1, 3, 2, 2},
		{"four bytes", at("😀"), 1, 6, 3, 3},
		{"after four bytes", at("z"), 1, 10, 5, 4},
		{"empty line", at("\n\n") + 1, 2, 0, 0, 0},
		{"end of text", len(sample), 3, 4, 4, 4},
		{"beyond the text", len(sample) + 9, 3, 4, 4, 4},
		{"before the text", -1, 0, 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := NewLines([]byte(sample))
			for encoding, want := range map[Encoding]int{UTF8: tt.utf8, UTF16: tt.utf16, UTF32: tt.utf32} {
				if got := l.OffsetToPosition(tt.offset, encoding); got != (Position{tt.line, want}) {
					t.Errorf("encoding %d: got %v, want %d:%d", encoding, got, tt.line, want)
				}
			}
			line, column := l.OffsetToLineColumn(tt.offset)
			if line != tt.line+1 || column != tt.utf32+1 {
				t.Errorf("report: got %d:%d, want %d:%d", line, column, tt.line+1, tt.utf32+1)
			}
		})
	}
}

func TestPositionToOffset(t *testing.T) {
	at := func(needle string) int { return strings.Index(sample, needle) }
	for _, tt := range []struct {
		name     string
		position Position
		encoding Encoding
		want     int
	}{
		{"inside a surrogate pair", Position{1, 4}, UTF16, at("😀")},
		{"after a surrogate pair", Position{1, 5}, UTF16, at("z")},
		{"inside bytes of a character", Position{1, 4}, UTF8, at("€")},
		{"beyond the line", Position{0, 99}, UTF16, at("\r")},
		{"beyond the last line", Position{99, 0}, UTF16, len(sample)},
		{"negative line", Position{-1, 3}, UTF16, 0},
		{"negative character", Position{1, -3}, UTF16, at("x")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := NewLines([]byte(sample)).PositionToOffset(tt.position, tt.encoding); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

// Every conversion must come back to the character it started from.
func TestRoundTrips(t *testing.T) {
	for _, s := range []string{sample, "", "\n", "\r", "\r\n", "a\rb", "\xef\xbb\xbfa: 1\nb: é", "bad \xff\xe2 utf-8\n\xe2\x82",
		"nel\u0085ls\u2028ps\u2029end", "x\r\r\ny"} {
		l := NewLines([]byte(s))
		for offset := range len(s) + 1 {
			if !atCharacter(s, offset) || offset < len(byteOrderMark) && strings.HasPrefix(s, byteOrderMark) {
				continue
			}
			for _, encoding := range []Encoding{UTF8, UTF16, UTF32} {
				if got := l.PositionToOffset(l.OffsetToPosition(offset, encoding), encoding); got != offset {
					t.Errorf("%q: offset %d came back as %d in encoding %d", s, offset, got, encoding)
				}
			}
			if got := l.LineColumnToOffset(l.OffsetToLineColumn(offset)); got != offset {
				t.Errorf("%q: offset %d came back as %d from line and column", s, offset, got)
			}
			if got := l.MarkToOffset(l.OffsetToMark(offset)); got != offset {
				t.Errorf("%q: offset %d came back as %d from mark", s, offset, got)
			}
		}
	}
}

func atCharacter(s string, offset int) bool {
	if offset > 0 && offset < len(s) && s[offset-1] == '\r' && s[offset] == '\n' {
		return false
	}
	for i := 0; i < offset; {
		_, size := utf8.DecodeRuneInString(s[i:])
		if i += size; i > offset {
			return false
		}
	}
	return true
}

func TestLineSpan(t *testing.T) {
	text := "\xef\xbb\xbfone\r\ntwo\rthree\n"
	l := NewLines([]byte(text))
	var got []string
	for i := range l.Count() {
		span := l.LineSpan(i)
		got = append(got, text[span.Start:span.End])
	}
	if want := "one|two|three|"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}

func TestByteOrderMarkHasNoWidth(t *testing.T) {
	l := NewLines([]byte("\xef\xbb\xbfa"))
	if got := l.PositionToOffset(Position{0, 0}, UTF16); got != 3 {
		t.Errorf("the first character stands at byte 3, got %d", got)
	}
	if line, column := l.OffsetToLineColumn(0); line != 1 || column != 1 {
		t.Errorf("got %d:%d, want 1:1", line, column)
	}
}

// yaml.v3 itself says where the node is.
func TestMarkToOffsetAgreesWithYAML(t *testing.T) {
	for name, before := range map[string]string{
		"plain":               "",
		"indented":            "a:\n  b:\n    c: ",
		"two bytes":           "é: ",
		"three and four":      "[€, 😀, ",
		"CRLF":                "a: 1\r\nb: ",
		"lone CR":             "a: 1\rb: ",
		"byte order mark":     "\xef\xbb\xbf",
		"mark and more lines": "\xef\xbb\xbfa: 1\nb: ",
		"tab":                 "a:\t",
		"next line":           "a: 1\u0085b: ",
		"line separator":      "a: 1\u2028b: ",
		"paragraph separator": "# é\u2029b: ",
	} {
		t.Run(name, func(t *testing.T) {
			text := before + "NEEDLE"
			if strings.HasPrefix(before, "[") {
				text += "]"
			}
			var root yaml.Node
			if err := yaml.Unmarshal([]byte(text), &root); err != nil {
				t.Fatal(err)
			}
			n := find(&root, "NEEDLE")
			if got := NewLines([]byte(text)).MarkToOffset(n.Line, n.Column); got != len(before) {
				t.Errorf("%d:%d is byte %d, want %d", n.Line, n.Column, got, len(before))
			}
			if got := CountMarkLines([]byte(before)) + 1; got != n.Line {
				t.Errorf("counted line %d, want %d", got, n.Line)
			}
		})
	}
}

func find(n *yaml.Node, value string) *yaml.Node {
	if n.Value == value {
		return n
	}
	for _, child := range n.Content {
		if found := find(child, value); found != nil {
			return found
		}
	}
	return nil
}

func TestLineBreaks(t *testing.T) {
	for content, want := range map[string]struct {
		ending string
		length int
	}{
		"":          {"\n", 0},
		"a":         {"\n", 1},
		"ab\nc\r\n": {"\n", 2},
		"ab\r\nc\n": {"\r\n", 2},
		"\nab":      {"\n", 0},
	} {
		if got := LineBreak([]byte(content)); got != want.ending {
			t.Errorf("the lines of %q end with %q, not %q", content, got, want.ending)
		}
		if got := LineLength([]byte(content)); got != want.length {
			t.Errorf("the first line of %q has %d bytes, not %d", content, got, want.length)
		}
	}
}
