package main

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
)

// The carets have to stand under what they mean, as a terminal shows it.
func TestFrame(t *testing.T) {
	for _, tt := range []struct {
		name, line, needle  string
		wantText, wantCaret string
	}{
		{"plain", "name: web", "web", "name: web", "      ^^^"},
		{"accents take one column", "é: web", "web", "é: web", "   ^^^"},
		{"wide characters take two", "名前: web", "web", "名前: web", "      ^^^"},
		{"a wide span", "a: 名前", "名前", "a: 名前", "   ^^^^"},
		{"emoji", "😀: web", "web", "😀: web", "    ^^^"},
		{"a combining accent takes none", "e\u0301: web", "web", "e\u0301: web", "   ^^^"},
		{"a tab goes to the next stop", "a:\tweb", "web", "a:  web", "    ^^^"},
		{"an escape sequence is not passed on", "a: \x1b[31mweb", "web", `a: \x1b[31mweb`, "           ^^^"},
		{"nothing turns the text around", "a: \u202e\u200bweb", "web", `a: \u202e\u200bweb`, "               ^^^"},
		{"credentials of an address", "- https://u:pw@h/web", "web", "- https://xxxx@h/web", "                 ^^^"},
		{"a byte that is no UTF-8", "a: \xffweb", "web", "a: �web", "    ^^^"},
		{"an empty span", "a:", "", "a:", "^"},
		{"the end of a long line", strings.Repeat("x", 300) + "web", "web", "…" + strings.Repeat("x", 36) + "web", strings.Repeat(" ", 37) + "^^^"},
		{"the middle of a line that is a whole file", strings.Repeat("é", 1<<20) + "web" + strings.Repeat("é", 1<<20), "web", "…" + strings.Repeat("é", 36) + "web" + strings.Repeat("é", 71) + "…", strings.Repeat(" ", 37) + "^^^"},
		{"the beginning of a long line", "web" + strings.Repeat("x", 300), "web", "web" + strings.Repeat("x", 107) + "…", "^^^"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			content := "first: line\n" + tt.line + "\nlast: line\n"
			start := strings.Index(content, tt.line) + strings.Index(tt.line, tt.needle)
			s := &source{text: []byte(content), lines: text.NewLines([]byte(content))}
			f := s.frame(text.Span{Start: start, End: start + len(tt.needle)}, 2)
			if f.text != tt.wantText {
				t.Errorf("text %q, want %q", f.text, tt.wantText)
			}
			if caret := strings.Repeat(" ", f.start) + strings.Repeat("^", f.width); caret != tt.wantCaret {
				t.Errorf("caret %q, want %q", caret, tt.wantCaret)
			}
		})
	}
}
