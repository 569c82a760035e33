package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestScratch writes a file anew at the same place, lets nobody write to it, and
// leaves nothing behind.
func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := &scratch{}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	first, err := s.Write("../a.yaml", []byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Write("a.yaml", []byte("two"))
	if err != nil || again != first {
		t.Errorf("%s and %s, %v", first, again, err)
	}
	content, err := os.ReadFile(first)
	if err != nil || string(content) != "two" {
		t.Errorf("%q, %v", content, err)
	}
	info, err := os.Stat(first)
	if err != nil || info.Mode().Perm()&0o222 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	dir := filepath.Dir(first)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}
