package syntax

import (
	"strings"
	"sync"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
)

// One mistake is one problem, at its place; the resources beside it are read.
// The markers « » stand around what the problem points at.
func TestProblems(t *testing.T) {
	good := "---\nkind: Good\nmetadata: {name: good}\n"
	for _, tt := range []struct {
		kind    ProblemKind
		content string
		refused bool
	}{
		{Malformed, "kind: X\nmetadata: «[»a\nspec: 1\n" + good, true},
		{InvalidCharacters, "kind: X\nmetadata: {name: a«\xff»}\n" + good, true},
		{InvalidSeparator, "# c\n«--- !x»\n" + good[4:], true},
		{NotAnObject, "«- a\n- b»\n" + good, true},
		{NotAnObject, "«word»\n" + good, true},
		{MissingKind, "«metadata: {name: a}»\n" + good, true},
		{MissingName, "«kind: X\nmetadata:\n  labels: {a: b}»\n" + good, true},
		{DuplicateMergeKey, "kind: X\nmetadata: {name: a, <<: {b: c}, «<<»: {d: e}}\n" + good, true},
		{InvalidMerge, "kind: X\nmetadata: {name: a, <<: «word»}\n" + good, true},
		{InvalidMerge, "x: &x [1]\nkind: X\nmetadata: {name: a, <<: «*x»}\n" + good, true},
		{AliasCycle, "kind: X\nmetadata: {name: a}\nx: &x\n  y: «*x»\n" + good, true},
		{DuplicateKey, "kind: XList\nmetadata: {a: b, «a»: c}\nitems: []\n" + good, true},
		{InvalidList, "kind: XList\nitems: «word»\n" + good, true},
		{InvalidList, "kind: XList\nitems:\n- «kind: X\n  y: {1: 2}»\n" + good, true},
		{MissingName, "kind: XList\nitems:\n- «kind: X\n  y: {z: 2}»\n" + good, true},
		{IgnoredDocument, "kind: XList\nitems: []\n...\n«kind: Y»\n" + good, false},
		{NotAnObject, "«é: ü»\n" + good, true},
	} {
		for _, lineBreak := range []string{"\n", "\r\n"} {
			t.Run(string(tt.kind)+" "+strings.TrimSpace(tt.content[:7]), func(t *testing.T) {
				content := strings.ReplaceAll(tt.content, "\n", lineBreak)
				start, end := strings.Index(content, "«"), strings.Index(content, "»")-len("«")
				content = strings.NewReplacer("«", "", "»", "").Replace(content)
				nodes, problems, refused := read(content)
				if len(problems) != 1 {
					t.Fatalf("got %v, want one problem", problems)
				}
				p := problems[0]
				if want := (text.Span{Start: start, End: end}); p.Kind != tt.kind || p.Span != want || p.File != 1 {
					t.Errorf("got %s at %v, want %s at %v", p.Kind, p.Span, tt.kind, want)
				}
				if refused != tt.refused {
					t.Errorf("refused is %v", refused)
				}
				if len(nodes) != 1 || nodes[0].Content[1].Value != "Good" {
					t.Errorf("the resource beside it is lost: %d nodes", len(nodes))
				}
			})
		}
	}
}

// An inlined item went through JSON, sorted and respelled, and still says
// where it was written.
func TestInlinedItemsKeepTheirPlaces(t *testing.T) {
	content := "kind: FooList\nitems:\n- z: &z 0x10\n  kind: Foo\n  metadata:\n    name: a # c\n    <<: {labels: {b: c}}\n  y: *z\n"
	table := NewTable()
	nodes, problems := ReadDocuments(table, table.Add("f.yaml", []byte(content)))
	if len(nodes) != 1 || len(problems) != 0 {
		t.Fatalf("got %d nodes, %v", len(nodes), problems)
	}
	for path, want := range map[string]string{"z": "0x10", "metadata/name": "a # c", "metadata/labels/b": "c}}", "y": "0x10"} {
		n := Lookup(nodes[0], strings.Split(path, "/")...)
		_, source, start := locate(table, n)
		if source == nil {
			t.Fatalf("%s has no place", path)
		}
		start = valueStart(source.content, start)
		if got := content[start:]; !strings.HasPrefix(got, want) {
			t.Errorf("%s stands at %q, want %q", path, got, want)
		}
	}
}

func TestPlacesInLaterDocuments(t *testing.T) {
	content := "# c\n" + configMap + "---\n\n---\r\n# d\n" + object("second", "x: [é, «here»]\n") + "--- # e\n\xef\xbb\xbf" + object("third", "")
	start := strings.Index(content, "«")
	content = strings.NewReplacer("«", "", "»", "").Replace(content)
	table := NewTable()
	nodes, _ := ReadDocuments(table, table.Add("f.yaml", []byte(content)))
	if len(nodes) != 3 {
		t.Fatalf("got %d nodes", len(nodes))
	}
	if _, span := NodeSpan(table, Lookup(nodes[1], "x", "1")); span != (text.Span{Start: start, End: start + 4}) {
		t.Errorf("got %v, want %d", span, start)
	}
	if _, span := NodeSpan(table, nodes[2].Content[0]); content[span.Start:span.End] != "kind" {
		t.Errorf("got %q", content[span.Start:span.End])
	}
}

func TestTableFromSeveralGoroutines(t *testing.T) {
	table := NewTable()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			file := table.Add("f.yaml", []byte("a: |\n  b: c\n"))
			host := Parse(table, file).Documents[0].Root.Content[1]
			inner := table.AddEmbedded(host, host.Value)
			for range 50 {
				root, _, span := table.Resolve(inner, text.Span{Start: 3, End: 4})
				if root != file || span != (text.Span{Start: 10, End: 11}) {
					t.Errorf("got %d %v", root, span)
				}
			}
		})
	}
	group.Wait()
}

func TestSourceOfAnUnknownID(t *testing.T) {
	table := NewTable()
	if table.Source(0) != nil || table.Source(7) != nil {
		t.Error("there is no such text")
	}
	nodes, problems := ReadDocuments(table, 7)
	if nodes != nil || problems != nil || len(Parse(table, 7).Documents) != 0 {
		t.Error("what is not there has no content")
	}
}
