package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/rules"
)

func TestPages(t *testing.T) {
	pages, err := makePages(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if want := len(rules.All()) + 1; len(pages) != want {
		t.Errorf("%d pages, want %d", len(pages), want)
	}
	for _, r := range rules.All() {
		if !strings.Contains(string(pages[r.Name+".md"]), "\nFound by [") {
			t.Errorf("the page of %s does not say which code finds the mistake", r.Name)
		}
	}
	page := string(pages["patch-no-target.md"])
	for _, part := range []string{"# patch-no-target\n", "Severity: warning.", "^^^ warning patch-no-target:", "```diff\n", "+    name: web\n"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q:\n%s", part, page)
		}
	}
	if !strings.Contains(string(pages["README.md"]), "| [patch-no-target](patch-no-target.md) | warning |") {
		t.Error("the index lacks patch-no-target")
	}
}
