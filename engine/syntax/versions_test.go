package syntax

import (
	"math/rand/v2"
	"slices"
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

// What stood in one place once, of whatever versions it is, stands in one place ever
// after, also where many lines are the same: what was compared then is not compared again.
func TestPlacesStayTogether(t *testing.T) {
	together := 0
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 5))
		lines := strings.SplitAfter("a\nb\na\na\nc\nb\na", "\n")
		content := strings.Join(lines, "")
		table := NewTable().At(t, 0)
		now := table.Add("f.yaml", []byte(content))
		type place struct {
			file text.FileID
			line int
		}
		groups := map[place][]*yaml.Node{} // the nodes that stand there now
		texts := []string{content}
		for moment := range 14 {
			for line := range strings.Count(content, "\n") + 1 {
				n := &yaml.Node{Kind: yaml.ScalarNode}
				SetPlace(n, now, line+1, 1)
				groups[place{now, line + 1}] = append(groups[place{now, line + 1}], n)
			}
			at := random.IntN(len(lines))
			switch how := random.IntN(5); {
			case how < 2:
				lines = slices.Insert(slices.Clone(lines), at, string("abc"[random.IntN(3)])+"\n")
			case how == 2 && len(lines) > 3:
				lines = slices.Delete(slices.Clone(lines), at, at+1)
			case how == 3:
				with := random.IntN(len(lines))
				lines = slices.Clone(lines)
				lines[at], lines[with] = lines[with], lines[at]
			default:
				lines = strings.SplitAfter(texts[random.IntN(len(texts))], "\n")
			}
			content = strings.Join(lines, "")
			texts = append(texts, content)
			table = table.At(t, moment+1)
			now, _ = table.AddVersion(now, []byte(content))
			next := map[place][]*yaml.Node{}
			for was, nodes := range groups {
				file, line, _ := table.Place(nodes[0])
				for _, n := range nodes[1:] {
					if f, l, _ := table.Place(n); (f == now) != (file == now) || f == now && l != line {
						t.Fatalf("seed %d, edit %d: what stood at line %d of %d is at lines %d of %d and %d of %d\n%q", seed, moment, was.line, was.file, line, file, l, f, texts)
					}
				}
				if file == now {
					together += len(nodes) - 1
					next[place{file, line}] = append(next[place{file, line}], nodes...)
				}
			}
			groups = next
		}
	}
	if together < 10_000 {
		t.Errorf("only %d places were compared", together)
	}
}
