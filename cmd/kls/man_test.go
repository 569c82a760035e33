package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestManPages holds what packages carry: a manual page for each command. The
// command that writes them is only there with a build tag.
func TestManPages(t *testing.T) {
	folder := t.TempDir()
	if out, err := exec.Command("go", "run", "-tags", "man", ".", "man", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, page := range []string{"kls.1", "kls-edit-add-buildMetadata.1", "kls-check.1"} {
		text, err := os.ReadFile(filepath.Join(folder, page))
		if err != nil || page == "kls-check.1" && !strings.Contains(string(text), "--fail-on") {
			t.Errorf("%s: %v\n%s", page, err, text)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "kls-man.1")); !os.IsNotExist(err) {
		t.Error("the command that only packing needs has a page")
	}
}
