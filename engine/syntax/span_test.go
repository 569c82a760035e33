package syntax

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// parsed registers a text and gives the places of its first document.
func parsed(t *testing.T, content string) (*Table, *yaml.Node) {
	t.Helper()
	document, err := decode(lineFeeds([]byte(content)))
	if err != nil {
		t.Fatal(err.Message)
	}
	table := NewTable()
	file := table.Add("f.yaml", []byte(content))
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		SetPlace(n, file, n.Line, n.Column)
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(document)
	return table, document.Content[0]
}

func TestNodeSpan(t *testing.T) {
	for _, tt := range []struct{ name, content, whole, value, inner string }{
		{"plain", "a: x y # c\n", "x y", "x y", "x y"},
		{"plain over lines", "a: x\n  y\nb: 1\n", "x\n  y", "x\n  y", "x\n  y"},
		{"double quotes", `a: "x\"y" # c`, `"x\"y"`, `"x\"y"`, `x\"y`},
		{"single quotes", "a: 'it''s'\n", "'it''s'", "'it''s'", "it''s"},
		{"tab after the colon", "a:\t'x'\n", "'x'", "'x'", "x"},
		{"literal", "a: |- # c\n  x\n  y\n\nb: 1\n", "|- # c\n  x\n  y", "|- # c\n  x\n  y", "x\n  y\n\n"},
		{"literal without content", "a: |-\nb: 1\n", "|-", "|-", ""},
		{"nothing", "a:\nb: 1\n", "", "", ""},
		{"nothing but an anchor", "a: &x\nb: 1\n", "&x", "b: 1\n", ""},
		{"anchor and tag", "a: &x !!str 'v'\n", "&x !!str 'v'", "'v'", "v"},
		{"alias", "z: &x 1\na: *x # c\n", "*x", "*x", "*x"},
		{"flow list", "a: [x, 'y', ] # c\n", "[x, 'y', ]", "[x, 'y', ]", "x, 'y', "},
		{"flow map over lines", "a: {b: c, # d]\n  e: } \n", "{b: c, # d]\n  e: }", "{b: c, # d]\n  e: }", "b: c, # d]\n  e: "},
		{"empty flow map", "a: { }\n", "{ }", "{ }", " "},
		{"flow key only", "a: {b}\n", "{b}", "{b}", "b"},
		{"nested flow", "a: [[x], {b: [y]}]\n", "[[x], {b: [y]}]", "[[x], {b: [y]}]", "[x], {b: [y]}"},
		{"block map", "a:\n  b: 1 # c\n  d:\n    e: 2\n\n# f\ng: 1\n", "b: 1 # c\n  d:\n    e: 2", "b: 1 # c\n  d:\n    e: 2", "b: 1 # c\n  d:\n    e: 2"},
		{"block list", "a:\n- x\n- - y\n  - z\nb: 1\n", "- x\n- - y\n  - z", "- x\n- - y\n  - z", "- x\n- - y\n  - z"},
		{"block list with an empty end", "a:\n- x\n-\nb: 1\n", "- x\n-", "- x\n-", "- x\n-"},
		{"block map with an empty end", "a:\n  b:\nc: 1\n", "b:", "b:", "b:"},
		{"anchored block map", "a: &x\n  b: 1\n", "&x\n  b: 1", "b: 1", "b: 1"},
		{"several bytes", "é: [\"€😀\", 😀]\n", "[\"€😀\", 😀]", "[\"€😀\", 😀]", "\"€😀\", 😀"},
		{"CRLF", "a:\r\n- x\r\n- |\r\n  y\r\nb: 1\r\n", "- x\r\n- |\r\n  y", "- x\r\n- |\r\n  y", "- x\r\n- |\r\n  y"},
		{"byte order mark", "\xef\xbb\xbfa: 'x'\n", "'x'", "'x'", "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table, root := parsed(t, tt.content)
			value := root.Content[1]
			if _, a := Field(root, "a"); a != nil {
				value = a
			}
			cut := func(_ text.FileID, span text.Span) string { return tt.content[span.Start:span.End] }
			if got := cut(NodeSpan(table, value)); got != tt.whole {
				t.Errorf("node: got %q, want %q", got, tt.whole)
			}
			if isUnwritten(value) {
				return
			}
			if got := cut(ValueSpan(table, value)); got != tt.value {
				t.Errorf("value: got %q, want %q", got, tt.value)
			}
			if got := cut(InnerSpan(table, value)); got != tt.inner {
				t.Errorf("inner: got %q, want %q", got, tt.inner)
			}
		})
	}
}

func TestEntrySpan(t *testing.T) {
	content := "x: 1\n&k 'a' :\n  - b # c\ny: 2\n"
	table, root := parsed(t, content)
	_, span := EntrySpan(table, root.Content[2], root.Content[3])
	if got, want := content[span.Start:span.End], "&k 'a' :\n  - b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNodeSpanOfANodeThatWasMade(t *testing.T) {
	table := NewTable()
	if file, span := NodeSpan(table, &yaml.Node{Kind: yaml.ScalarNode, Value: "x"}); file != 0 || span.Len() != 0 {
		t.Errorf("got %d %v", file, span)
	}
}

// A build adds to a collection what stands in other files, and takes away.
func TestNodeSpanAfterABuild(t *testing.T) {
	content := "a:\n  b: 1\n  c: [x, y]\n"
	table, root := parsed(t, content)
	_, other := parsed(t, strings.Repeat("\n", 9)+"z: 1\n")
	otherFile := table.Add("other.yaml", []byte(content))
	SetPlace(other.Content[0], otherFile, 9, 1)
	_, a := Field(root, "a")
	a.Content = append(a.Content[2:], other.Content[0], a.Content[1])
	a.Content[1].Content = a.Content[1].Content[:1]
	_, span := NodeSpan(table, a)
	if got, want := content[span.Start:span.End], "b: 1\n  c: [x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
