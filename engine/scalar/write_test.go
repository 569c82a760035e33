package scalar

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	yaml2 "go.yaml.in/yaml/v2"
	yaml "go.yaml.in/yaml/v3"
)

func TestWrite(t *testing.T) {
	for _, tt := range []struct{ value, block, flow string }{
		{"nginx", "nginx", "nginx"},
		{"nginx:1.2", "nginx:1.2", "nginx:1.2"},
		{"a b", "a b", "a b"},
		{"", `""`, `""`},
		{"on", `"on"`, `"on"`},
		{"y", `"y"`, `"y"`},
		{"null", `"null"`, `"null"`},
		{"1.20", `"1.20"`, `"1.20"`},
		{"0o17", `"0o17"`, `"0o17"`}, // a number to yaml.v3 alone
		{"017", `"017"`, `"017"`},
		{"2001-01-01", `"2001-01-01"`, `"2001-01-01"`},
		{"12:30", `"12:30"`, `"12:30"`},
		{"12:90", "12:90", "12:90"},
		{"#1.yaml", `"#1.yaml"`, `"#1.yaml"`},
		{"a: b.yaml", `"a: b.yaml"`, `"a: b.yaml"`},
		{"a #b", `"a #b"`, `"a #b"`},
		{"- a", `"- a"`, `"- a"`},
		{"<<", `"<<"`, `"<<"`},
		{"a,b", "a,b", `"a,b"`},
		{"a]", "a]", `"a]"`},
		{`say "hi"`, `say "hi"`, `say "hi"`},
		{`"hi"`, `'"hi"'`, `'"hi"'`},
		{`^a\.b: c`, `'^a\.b: c'`, `'^a\.b: c'`},
		{"a\nb", `"a\nb"`, `"a\nb"`},
		{"a\"\n", `"a\"\n"`, `"a\"\n"`},
		{"a\u0085b", `"a\u0085b"`, `"a\u0085b"`},
		{"größe 😀", "größe 😀", "größe 😀"},
	} {
		if got := Write(tt.value, 0, false); got != tt.block {
			t.Errorf("%q in a block is written %s, want %s", tt.value, got, tt.block)
		}
		if got := Write(tt.value, 0, true); got != tt.flow {
			t.Errorf("%q between brackets is written %s, want %s", tt.value, got, tt.flow)
		}
	}
}

func TestWriteKeepsQuotes(t *testing.T) {
	for _, tt := range []struct{ value, single, double string }{
		{"a", "'a'", `"a"`},
		{"it's", "'it''s'", `"it's"`},
		{"a\nb", `"a\nb"`, `"a\nb"`},
	} {
		if got := Write(tt.value, yaml.SingleQuotedStyle, false); got != tt.single {
			t.Errorf("%q is written %s, want %s", tt.value, got, tt.single)
		}
		if got := Write(tt.value, yaml.DoubleQuotedStyle, false); got != tt.double {
			t.Errorf("%q is written %s, want %s", tt.value, got, tt.double)
		}
	}
}

// FuzzWrite holds what is written, in every place where it may stand, against the two readers.
func FuzzWrite(f *testing.F) {
	for _, text := range yaml11Texts {
		f.Add(text)
	}
	for _, text := range []string{"a?b", "a:?b", "a:,b", "a:]", "?", "a:[b", "\U0001FFFE", "\uFFFE", "é:", ":x", "12:30", "-12:3_0.5"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if !utf8.ValidString(value) || len(value) > 500 {
			return // longer keys are not read on one line
		}
		for _, style := range []yaml.Style{0, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle} {
			for _, around := range []struct {
				before, behind string
				inFlow         bool
			}{
				{"", "\n", false}, {"k: ", "\n", false}, {"- ", "\n", false}, {"- - ", "\n", false}, {"", ": v\n", false}, {"- ", ": v\n", false},
				{"k: ", " # c\n", false}, {"[", "]\n", true}, {"[a, ", ", b]\n", true}, {"{k: ", "}\n", true}, {"{", ": v}\n", true},
			} {
				written := Write(value, style, around.inFlow)
				checkReads(t, around.before+written+around.behind, value)
			}
		}
		var read string
		if err := json.Unmarshal([]byte(DoubleQuoted(value)), &read); err != nil || read != value {
			t.Errorf("JSON reads %s as %q, %v", DoubleQuoted(value), read, err)
		}
	})
}

// checkReads looks for a text in what is read: a key whose value is v, or the last value.
func checkReads(t *testing.T, document, want string) {
	t.Helper()
	var v2, v3 any
	if err := yaml2.Unmarshal([]byte(document), &v2); err != nil {
		t.Fatalf("yaml.v2 refuses %q: %v", document, err)
	}
	if err := yaml.Unmarshal([]byte(document), &v3); err != nil {
		t.Fatalf("yaml.v3 refuses %q: %v", document, err)
	}
	for _, read := range []any{v2, v3} {
		if !holds(read, want) {
			t.Fatalf("%q does not have %q in it but %#v", document, want, read)
		}
	}
	if strings.Count(document, "\n") != 1 {
		t.Fatalf("%q is more than one line", document)
	}
}

func holds(read any, want string) bool {
	switch read := read.(type) {
	case string:
		return read == want
	case []any:
		return len(read) > 0 && (holds(read[0], want) || len(read) == 3 && holds(read[1], want))
	case map[string]any:
		return len(read) == 1 && (read["k"] == any(want) || read[want] == any("v"))
	case map[any]any:
		return len(read) == 1 && (read["k"] == any(want) || read[want] == any("v"))
	}
	return false
}
