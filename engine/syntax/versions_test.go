package syntax

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// nodeAt returns a node with the place of the first occurrence of a word.
func nodeAt(id text.FileID, content, word string) *yaml.Node {
	before := content[:strings.Index(content, word)]
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: word}
	SetPlace(n, id, strings.Count(before, "\n")+1, len(before)-strings.LastIndex(before, "\n"))
	return n
}

// What stands outside of the lines that changed is found where it went, in the version
// of the moment that is asked about and in no other.
func TestPlacesMoveWithTheirLines(t *testing.T) {
	const first = "a: one\nb: two\nc: three\n"
	history := &struct{ int }{}
	table := NewTable().At(history, 0)
	id := table.Add("f.yaml", []byte(first))
	for _, test := range []struct {
		name, second string
		moved        map[string]int // the line on which a word is now; 0: not there
	}{
		{"a line before", "new: 0\na: one\nb: two\nc: three\n", map[string]int{"one": 2, "two": 3, "three": 4}},
		{"a line changed", "a: one\nb: 2\nc: three\n", map[string]int{"one": 1, "two": 0, "three": 3}},
		{"a line less", "a: one\nc: three\n", map[string]int{"one": 1, "two": 0, "three": 2}},
		{"the last line changed", "a: one\nb: two\nc: threes\n", map[string]int{"one": 1, "two": 2, "three": 0}},
		{"no line break at the end", "a: one\nb: two\nc: three", map[string]int{"one": 1, "two": 2, "three": 0}},
		{"a line twice", "a: one\na: one\nb: two\nc: three\n", map[string]int{"one": 1, "two": 3, "three": 4}},
		{"nothing left", "", map[string]int{"one": 0, "two": 0, "three": 0}},
		{"Windows line ends", strings.ReplaceAll(first, "\n", "\r\n"), map[string]int{"one": 0, "two": 0, "three": 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			later := table.At(history, 1)
			next, added := later.AddVersion(id, []byte(test.second))
			if !added {
				t.Fatal("it counts as known")
			}
			for word, line := range test.moved {
				n := nodeAt(id, first, word)
				wantFile, wantLine := next, line
				if line == 0 {
					wantFile, wantLine = id, n.Line&0xffffffff
				}
				if file, got, column := later.Place(n); file != wantFile || got != wantLine || column != n.Column {
					t.Errorf("%s is at %d:%d:%d, want %d:%d:%d", word, file, got, column, wantFile, wantLine, n.Column)
				}
				if file, _, _ := table.Place(n); file != id {
					t.Errorf("before the edit %s is in %d", word, file)
				}
				if file, _, _ := NewTable().At(history, 1).Place(n); file != id {
					t.Errorf("in a table without that text %s is in %d", word, file)
				}
			}
			id = next // each test goes on with another pair of versions
			back, added := later.AddVersion(next, []byte(first))
			if added {
				t.Fatal("what was taken back is a new text")
			}
			id = back
			table = later.At(history, 2)
			table.AddVersion(back, []byte(first))
			history = &struct{ int }{}
			table = table.At(history, 0)
		})
	}
}

// What stands between two places that were edited one after the other is found as well.
func TestPlacesMoveEditByEdit(t *testing.T) {
	const first = "a: one\nb: two\nc: three\n"
	table := NewTable().At(t, 0)
	id := table.Add("f.yaml", []byte(first))
	n := nodeAt(id, first, "two")
	now := id
	for moment, text := range []string{"a: one\nb: two\nc: 3\n", "new: 0\na: one\nb: two\nc: 3\n", "new: 0\na: one\nb: two\nc: 3\nd: 4\n"} {
		table = table.At(t, moment+1)
		now, _ = table.AddVersion(now, []byte(text))
		want := strings.Count(text[:strings.Index(text, "b:")], "\n") + 1
		if file, line, _ := table.Place(n); file != now || line != want {
			t.Errorf("after edit %d it is at line %d of %d, want %d of %d", moment+1, line, file, want, now)
		}
	}
}

// A document that stands in a string is found where the string went.
func TestEmbeddedDocumentsMoveWithTheirHosts(t *testing.T) {
	const first = "patch: |-\n  x: one\n"
	table := NewTable().At(t, 0)
	id := table.Add("f.yaml", []byte(first))
	parsed := Parse(table, id)
	_, host := Field(parsed.Documents[0].Root, "patch")
	embedded := table.AddEmbedded(host, host.Value)
	_, value := Field(Parse(table, embedded).Documents[0].Root, "x")

	later := table.At(t, 1)
	const second = "# a comment\n" + first
	next, _ := later.AddVersion(id, []byte(second))
	for _, want := range []struct {
		table *Table
		file  text.FileID
		text  string
	}{{table, id, first}, {later, next, second}, {table, id, first}} {
		file, span := NodeSpan(want.table, value)
		root, path, rootSpan := want.table.Resolve(file, span)
		if got := want.text[rootSpan.Start:rootSpan.End]; root != want.file || path != "f.yaml" || got != "one" {
			t.Errorf("%d %s %q, want %d", root, path, got, want.file)
		}
	}
}
