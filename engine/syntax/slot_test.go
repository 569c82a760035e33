package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
)

func describeSlot(content string, s Slot) string {
	var b strings.Builder
	for _, step := range s.Steps {
		switch {
		case step.Key == nil:
			fmt.Fprintf(&b, "/%d", step.Index)
		case step.Key.Value == StandIn:
			b.WriteString("/*")
		default:
			b.WriteString("/" + step.Key.Value)
		}
	}
	what := " value"
	if s.OnKey {
		what = " key"
	}
	fmt.Fprintf(&b, "%s <%s> %q", what, content[s.Word.Start:s.Word.End], s.Typed)
	for _, flag := range []struct {
		name string
		set  bool
	}{{"colon", s.Colon}, {"flow", s.Flow}, {"tight", s.Tight}, {"dashed", s.Dashed}} {
		if flag.set {
			b.WriteString(" " + flag.name)
		}
	}
	return b.String()
}

// The cursor is at ‸. What is typed stands where the indentation, and the brackets
// around it, put it.
func TestFindSlot(t *testing.T) {
	for _, tt := range []struct{ name, content, want string }{
		{"nothing at all", "‸", `/* key <> ""`},
		{"half a key", "a: 1\nres‸\nb: 2\n", `/* key <res> "res"`},
		{"half a key at the end", "a:\n- b: 1\n  c: 2\n\nres‸", `/* key <res> "res"`},
		{"inside a key", "a: 1\nre‸s: 2\n", `/* key <res> "re" colon`},
		{"key in a map", "a:\n  b: 1\n  ‸\n", `/a/* key <> ""`},
		{"key in an item", "a:\n- b: 1\n  c‸\n- d: 1\n", `/a/0/* key <c> "c"`},
		{"first key of an item", "a:\n- ‸\n", `/a/0/* key <> ""`},
		{"only a dash", "a:\n-‸\n", `/a/0/* key <> "" tight`},
		{"below an empty value", "a:\n  ‸\nb: 1\n", `/a/* key <> ""`},
		{"below a list", "a:\n  - b\n  ‸\n", `/a/1/* key <> "" dashed`},
		{"value", "a:\n  b: x‸y\n", `/a/b value <xy> "x"`},
		{"no value yet", "a:\n  b: ‸\n  c: 1\n", `/a/b value <> ""`},
		{"no blank yet", "a:\n  b:‸\n  c: 1\n", `/a/b value <> "" tight`},
		{"value before a comment", "a: b‸ # c\n", `/a value <b> "b"`},
		{"no value before a comment", "a: ‸ # c\n", `/a value <> ""`},
		{"several words", "a: b c‸ d\n", `/a value <b c d> "b c"`},
		{"item", "a: \n- b\n- c‸\n", `/a/1/* key <c> "c"`},
		{"comment", "a: b # c‸\n", "nothing"},
		{"double quotes", "a: \"b‸c\" # d\n", `/a value <"bc"> "b"`},
		{"behind the quotes", "a: 'bc'‸\n", `/a value <'bc'> "bc"`},
		{"before the quotes", "a: ‸'bc'\n", `/a value <'bc'> ""`},
		{"open quote", "a: \"b‸\nc: 1\n", `/a value <"b> "b"`},
		{"escapes", "a: \"b\\tc‸\"\n", `/a value <"b\tc"> "b\tc"`},
		{"doubled quotes", "a: 'it''s‸'\n", `/a value <'it''s'> "it's"`},
		{"flow map", "a: {b: 1, ‸}\n", `/a/* key <> "" flow`},
		{"flow key", "a: {b: 1, c‸: 2}\n", `/a/* key <c> "c" colon flow`},
		{"half a flow key", "a: {b: 1, c‸}\n", `/a/* key <c> "c" flow`},
		{"flow value", "a: {b: 1, c: x‸, d: 1}\n", `/a/c value <x> "x" flow`},
		{"flow value to come", "a: {b: ‸}\n", `/a/b value <> "" flow`},
		{"unfinished flow map", "a: {b: 1, c: ‸\nd: 2\n", `/a/c value <> "" flow`},
		{"flow list", "a: [b, ‸]\n", `/a/1 value <> "" flow`},
		{"flow over lines", "a: {\n  b: 1,\n  c‸\n}\n", `/a/* key <c> "c" flow`},
		{"JSON", "{\"a\": {\"b\": \"‸", `/a/b value <"> "" flow`},
		{"JSON key", "{\"a\": {\"b‸", `/a/* key <"b> "b" flow`},
		{"block scalar", "a: |\n  x\n  y‸\nb: 1\n", "nothing"},
		{"behind a block scalar", "a: |\n  x\nb‸\n", `/* key <b> "b"`},
		{"block scalar to come", "a: |‸\n", "nothing"},
		{"CRLF", "a:\r\n  b: 1\r\n  c‸\r\nd: 2\r\n", `/a/* key <c> "c"`},
		{"several bytes", "é: {ö: 💙‸}\n", `/é/ö value <💙> "💙" flow`},
		{"second document", "a: 1\n---\nb: 1\nc‸\n", `/* key <c> "c"`},
		{"broken elsewhere", "x: [\na: b: c\nkind: ‸\n", `/kind value <> ""`},
		{"a key under a key", "a:\n  b:\n    c‸\n  d: 1\n", `/a/b/* key <c> "c"`},
		{"url", "a: http://x‸\n", `/a value <http://x> "http://x"`},
		{"brackets in a plain value", "a: b.[name=c‸\n", `/a value <b.[name=c> "b.[name=c"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			offset := strings.Index(tt.content, "‸")
			content := strings.Replace(tt.content, "‸", "", 1)
			got := "nothing"
			if s, ok := FindSlot([]byte(content), offset); ok {
				got = describeSlot(content, s)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestFindWithin(t *testing.T) {
	for _, tt := range []struct{ name, content, want, outer string }{
		{"block", "a:\n  b: |-\n    x: 1\n    y‸\n  c: 1\n", "x: 1\ny‸\n", "y"},
		{"an empty line", "a: |-\n  x:\n    ‸\nb: 1\n", "x:\n  ‸\n", ""},
		{"nothing yet", "a:\n- b: |\n    ‸\n", "‸\n", ""},
		{"single quotes", "a: 'it''s‸'\n", "it's‸", "s"},
		{"double quotes", "a: \"{\\\"b‸\\\": 1}\"\n", `{"b‸": 1}`, "b"},
		{"plain", "a: b‸\n", "nothing", ""},
		{"in the indentation", "a: |\n  b: 1\n ‸ c\n", "nothing", ""},
		{"behind it", "a: |\n  x\nb: ‸\n", "nothing", ""},
		{"not indented", "a: |\n‸\nb: 1\n", "nothing", ""},
		{"CRLF", "a: |\r\n  x\r\n  y‸\r\n", "x\ny‸\n", "y"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			offset := strings.Index(tt.content, "‸")
			content := strings.Replace(tt.content, "‸", "", 1)
			w, ok := FindWithin([]byte(content), offset)
			if !ok {
				if tt.want != "nothing" {
					t.Errorf("nothing, want %q", tt.want)
				}
				return
			}
			if got := string(w.Text[:w.Offset]) + "‸" + string(w.Text[w.Offset:]); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			outer := w.Outer(text.Span{Start: w.Offset - len(tt.outer), End: w.Offset})
			if got := content[outer.Start:outer.End]; got != tt.outer || outer.End != offset {
				t.Errorf("stands at %q, which ends at %d and not at %d", got, outer.End, offset)
			}
		})
	}
}

// Any prefix of a text has a slot or none, and never breaks.
func TestSlotAnywhere(t *testing.T) {
	found := 0
	for end := 0; end <= len(sixtyLines); end += 3 {
		content := []byte(sixtyLines[:end])
		for _, offset := range []int{end, end / 2} {
			s, ok := FindSlot(content, offset)
			if ok {
				found++
				if s.Word.Start > offset || s.Word.End < offset || s.Root == nil {
					t.Fatalf("at %d: %+v", offset, s)
				}
			}
			FindWithin(content, offset)
		}
	}
	if found < 300 {
		t.Errorf("only %d slots", found)
	}
}
