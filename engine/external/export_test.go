package external_test

import (
	"context"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/external"
)

// TestExportStaysInside takes a tree that git itself would not write: it has a link to a
// folder elsewhere and, of the same name, a folder with a file.
func TestExportStaysInside(t *testing.T) {
	dir, _ := gitRepository(t, "-- file --\nevil\n")
	elsewhere := t.TempDir()
	write(t, dir, "-- link --\n"+elsewhere+"\n")
	object := func(kind, file string) string {
		return strings.TrimSpace(inGit(t, dir, "hash-object", "-w", "-t", kind, "--literally", file))
	}
	entry := func(mode, name, object string) string {
		raw, err := hex.DecodeString(object)
		if err != nil {
			t.Fatal(err)
		}
		return mode + " " + name + "\x00" + string(raw)
	}
	tree := func(entries ...string) string {
		path := filepath.Join(t.TempDir(), "tree")
		if err := os.WriteFile(path, []byte(strings.Join(entries, "")), 0o644); err != nil {
			t.Fatal(err)
		}
		return object("tree", path)
	}
	if err := os.WriteFile(filepath.Join(dir, "link"), []byte(elsewhere), 0o644); err != nil {
		t.Fatal(err)
	}
	below := tree(entry("100644", "file", object("blob", "file")))
	top := tree(entry("120000", "a", object("blob", "link")), entry("40000", "a", below))
	name := strings.TrimSpace(inGit(t, dir, "commit-tree", "-m", "x", top))
	commit, err := external.OpenCommit(context.Background(), dir, name)
	if err != nil {
		t.Fatal(err)
	}
	defer commit.Close()
	_ = commit.Export(filepath.Join(t.TempDir(), "exported")) // it may well fail
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
}
