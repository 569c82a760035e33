package vfs

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
)

// A page hands in files, renames a folder and empties another: what is read follows.
func TestTreeFollowsChanges(t *testing.T) {
	tree := NewTree()
	tree.Put("/w/base/kustomization.yaml", []byte("one"))
	tree.Put("/w/base/web.yaml", []byte("web"))
	tree.Put("/w/prod/kustomization.yaml", []byte("two"))

	tree.Put("/w/base/web.yaml", []byte("changed"))
	if data, err := tree.ReadFile("/w/base/web.yaml"); err != nil || string(data) != "changed" {
		t.Errorf("a file that was replaced has %q, %v", data, err)
	}
	if got := namesIn(t, tree, "/w"); !slices.Equal(got, []string{"base/", "prod/"}) {
		t.Errorf("the folder has %v", got)
	}
	tree.Remove("/w/prod/kustomization.yaml")
	if _, err := tree.IsDir("/w/prod"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder without files is still there: %v", err)
	}
	tree.Remove("/w/base")
	for _, gone := range []string{"/w/base", "/w/base/web.yaml", "/w"} {
		if _, err := tree.EvalSymlinks(gone); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", gone, err)
		}
	}
	if isDir, err := tree.IsDir("/"); err != nil || !isDir {
		t.Errorf("the root is gone: %v", err)
	}
}

// A file takes the place of a folder, and a folder that of a file.
func TestTreeChangesKind(t *testing.T) {
	tree := NewTree()
	tree.Put("/w/a/b.yaml", []byte("b"))
	tree.Put("/w/a", []byte("file"))
	if isDir, err := tree.IsDir("/w/a"); err != nil || isDir {
		t.Errorf("IsDir of what is a file now: %v, %v", isDir, err)
	}
	if _, err := tree.ReadFile("/w/a/b.yaml"); err == nil {
		t.Error("a file below a file can be read")
	}
	tree.Put("/w/a/c.yaml", []byte("c"))
	if got := namesIn(t, tree, "/w"); !slices.Equal(got, []string{"a/"}) {
		t.Errorf("the folder has %v", got)
	}
	if _, err := tree.ReadFile("/w/a"); err == nil {
		t.Error("a folder can be read as a file")
	}
}

// namesIn returns the names in a folder, folders with a slash at the end.
func namesIn(t *testing.T, source Source, dir string) []string {
	t.Helper()
	entries, err := source.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return names
}
