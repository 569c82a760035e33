package syntax

import (
	"strings"
	"testing"
)

// A text that may have more values than the limit is not read, and one at the limit is.
func TestTextsWithTooManyValues(t *testing.T) {
	const resource = "kind: X\nmetadata: {name: x}\n"
	for _, tt := range []struct {
		name, text string
		want       int // problems
	}{
		{"a flow list", resource + "a: [" + strings.Repeat("1,", 100) + "1]\n", 1},
		{"lines", resource + "a:\n" + strings.Repeat("-\n", 100), 1},
		{"keys", resource + strings.Repeat("\"a\":\"b\"", 100) + "\n", 1},
		{"a long string", resource + "a: " + strings.Repeat("b", 200) + "\n", 0},
		{"a short text", resource, 0},
	} {
		table := NewTable()
		table.LimitValues(90)
		id := table.Add("f", []byte(tt.text))
		nodes, problems := ReadDocuments(table, id)
		parsed := Parse(table, id)
		if len(problems) != tt.want || len(parsed.Problems) != tt.want || (len(nodes) == 0) != (tt.want > 0) || (len(parsed.Documents) == 0) != (tt.want > 0) {
			t.Errorf("%s: %v, and for an editor %v", tt.name, problems, parsed.Problems)
		}
		for _, p := range append(problems, parsed.Problems...) {
			if p.Kind != SizeLimit || p.Refused {
				t.Errorf("%s: %+v", tt.name, p)
			}
		}
	}
}

// Of a broken text that is too long for attempts to mend it only the place is told.
func TestLongBrokenTexts(t *testing.T) {
	for _, tt := range []struct{ name, text, at string }{
		{"zero bytes", "a: b\n" + strings.Repeat("\x00", maxParsedBytes), "\x00"},
		{"an open bracket", "a: b\nc: [\n#" + strings.Repeat("x", maxParsedBytes), "#" + strings.Repeat("x", 79)},
	} {
		table := NewTable()
		parsed := Parse(table, table.Add("f", []byte(tt.text)))
		if len(parsed.Problems) != 1 || parsed.Documents[0].Root != nil {
			t.Errorf("%s: %d problems", tt.name, len(parsed.Problems))
			continue
		}
		span := parsed.Problems[0].Span
		if got := tt.text[span.Start:span.End]; got != tt.at {
			t.Errorf("%s: the problem is at %q", tt.name, got)
		}
	}
}

// Broken documents of one text share what is spent on mending them.
func TestManyBrokenDocuments(t *testing.T) {
	table := NewTable()
	text := strings.Repeat("a: [\n"+strings.Repeat("b: [c\n", 300)+"---\n", 100)
	parsed := Parse(table, table.Add("f", []byte(text)))
	if limit := maxTextRepairs + maxParsedBytes; parsed.repaired > limit {
		t.Errorf("%d bytes were parsed for repairs, more than %d", parsed.repaired, limit)
	}
	if len(parsed.Documents) != 101 || len(parsed.Problems) < 100 {
		t.Errorf("%d documents, %d problems", len(parsed.Documents), len(parsed.Problems))
	}
}
