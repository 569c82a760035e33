package lsp

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
)

// TestChangesOneByOne holds texts after random edits against the same edits made on the
// whole text, one after the other: with every kind of line break, also one that an edit
// puts together or takes apart, and characters of one to four bytes.
func TestChangesOneByOne(t *testing.T) {
	pieces := []string{"a", "bc", "é", "€", "😀", "\n", "\r\n", "\r", "\n\n", "\ufeff", "", "key: value\n"}
	random := rand.New(rand.NewSource(3))
	some := func() string {
		var b bytes.Buffer
		for range random.Intn(6) {
			b.WriteString(pieces[random.Intn(len(pieces))])
		}
		return b.String()
	}
	for round := range 3000 {
		encoding := []text.Encoding{text.UTF8, text.UTF16, text.UTF32}[round%3]
		content := []byte(some() + some() + some())
		begun, want := fmt.Sprintf("%q", content), bytes.Clone(content)
		var changes []protocol.TextDocumentContentChangeEvent
		for range 1 + random.Intn(5) {
			position := func() protocol.Position {
				return protocol.Position{Line: uint32(random.Intn(6)), Character: uint32(random.Intn(5))}
			}
			c := &protocol.TextDocumentContentChangePartial{Range: protocol.Range{Start: position(), End: position()}, Text: some()}
			changes = append(changes, c)
			lines := text.NewLines(want)
			start := lines.PositionToOffset(toPosition(c.Range.Start), encoding)
			end := max(start, lines.PositionToOffset(toPosition(c.Range.End), encoding))
			want = bytes.Join([][]byte{want[:start], []byte(c.Text), want[end:]}, nil)
		}
		if got := applyChanges(content, changes, encoding); !bytes.Equal(got, want) {
			t.Fatalf("%s becomes %q, want %q, by %+v", begun, got, want, changes)
		}
		if now := fmt.Sprintf("%q", content); now != begun {
			t.Fatalf("%s was changed itself, to %s", begun, now)
		}
	}
}

// TestThousandsOfChanges replaces a word on each line of a large file and adds a line behind
// it, as an editor with many cursors does in one message. What goes through the whole text
// for each change is not done in time.
func TestThousandsOfChanges(t *testing.T) {
	const count = 20_000
	content := bytes.Repeat([]byte("key: value # and what there is to say about it\n"), count)
	var changes []protocol.TextDocumentContentChangeEvent
	for i := range uint32(count) {
		changes = append(changes, &protocol.TextDocumentContentChangePartial{Text: "other\n#",
			Range: protocol.Range{Start: protocol.Position{Line: 2 * i, Character: 5}, End: protocol.Position{Line: 2 * i, Character: 10}}})
	}
	changed := make(chan []byte, 1)
	go func() { changed <- applyChanges(content, changes, text.UTF16) }()
	select {
	case got := <-changed:
		if want := bytes.ReplaceAll(content, []byte("value"), []byte("other\n#")); !bytes.Equal(got, want) {
			t.Error("the text is another")
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the changes go through the whole text, one by one")
	}
}
