package syntax_test

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/syntax"
)

// TestFindWithinAnywhere looks for strings at every place of texts with anchors, tags and
// quotes that are being typed: most hold none there, and all places lie in the text.
func TestFindWithinAnywhere(t *testing.T) {
	for _, line := range []string{"a: &b", "a: &b ", "a: !!str", "a: &b !!str \"x\"", "a: &b |-\n  x", "a: *b", "a: \"x", "a: 'größe 😀'", "- &b", "a: &b # c"} {
		for _, newline := range []string{"", "\n", "\r\n", "\r\n\r\n"} {
			content := []byte("x: y" + newline + strings.ReplaceAll(line, "\n", newline) + newline)
			for offset := range len(content) + 1 {
				w, ok := syntax.FindWithin(content, offset)
				if ok && (w.Offset < 0 || w.Offset > len(w.Text)) {
					t.Errorf("%q at %d: %d of %q", content, offset, w.Offset, w.Text)
				}
			}
		}
	}
}
