package linediff

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
)

// TestEditsLeadToTheOtherText holds edits of random texts against their promise, and
// that they leave alone what begins and ends both.
func TestEditsLeadToTheOtherText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a\n", "b\n", "c\r\n", "ü\n", "\n", "a"}
	make := func() string {
		var b strings.Builder
		for range random.IntN(8) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 2000 {
		before, after := make(), make()
		got, err := text.Apply([]byte(before), Edits(before, after))
		if err != nil || string(got) != after {
			t.Fatalf("%q to %q: %q, %v", before, after, got, err)
		}
	}
	if edits := Edits("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n"); len(edits) != 2 || edits[0].Span != (text.Span{Start: 2, End: 4}) || edits[1].Span != (text.Span{Start: 8, End: 8}) {
		t.Errorf("the edits are %v", edits)
	}
	if edits := Edits("same\n", "same\n"); edits != nil {
		t.Errorf("equal texts have the edits %v", edits)
	}
}
