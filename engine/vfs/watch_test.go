package vfs

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A watcher tells of what came, changed and went, and of nothing else.
func TestWatcher(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("in/a.yaml", "a")
	write("in/deep/b.yaml", "b")
	write("in/.git/index", "x")
	write("out/base.yaml", "base")
	w := NewWatcher(Disk(), func(name string) bool { return name == ".git" })
	w.last = w.last.Add(time.Minute) // what was written just now is not new
	watched := []string{at("in/a.yaml"), at("out/base.yaml"), at("out/missing.yaml")}
	poll := func(step string, want ...string) {
		t.Helper()
		changed, err := w.Poll(context.Background(), []string{at("in")}, watched)
		if err != nil {
			t.Fatal(err)
		}
		for i := range changed {
			changed[i] = strings.TrimPrefix(filepath.ToSlash(changed[i]), filepath.ToSlash(dir)+"/")
		}
		slices.Sort(changed)
		if changed = slices.Compact(changed); !slices.Equal(changed, want) {
			t.Errorf("%s: changed %v, want %v", step, changed, want)
		}
	}
	poll("at first")
	poll("nothing")
	write("in/a.yaml", "another")
	write("in/deep/b.yaml", "nobody reads it")
	write("in/.git/index", "y")
	poll("a file that is read", "in/a.yaml")
	write("in/deep/new/c.yaml", "c")
	poll("a folder", "in/deep/new")
	write("in/deep/new/d.yaml", "d")
	poll("a file in it", "in/deep/new/d.yaml")
	write("out/missing.yaml", "here")
	poll("a file elsewhere that was missed", "out/missing.yaml")
	if err := os.Rename(at("in/deep"), at("away")); err != nil {
		t.Fatal(err)
	}
	poll("a folder that goes", "in/deep")
	if err := os.Rename(at("away"), at("in/deep")); err != nil {
		t.Fatal(err)
	}
	poll("and comes back", "in/deep")
	poll("nothing again")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Poll(ctx, []string{at("in")}, nil); err == nil {
		t.Error("a watcher that is given up goes on")
	}
	if NewWatcher(Memory(nil), nil) != nil {
		t.Error("memory cannot be watched")
	}
}

// A file that changes between its first read and the first look at it is told of.
func TestWatcherIsNotLate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	w := NewWatcher(Disk(), func(string) bool { return false })
	if err := os.WriteFile(path, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	if changed, err := w.Poll(context.Background(), nil, []string{path}); err != nil || len(changed) != 1 {
		t.Errorf("changed %v, %v", changed, err)
	}
}

// What is below a folder that changed is read anew.
func TestChangedFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "base", "a.yaml")
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	write("old")
	s := NewSnapshot(Disk())
	if _, err := s.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	write("new")
	if f, err := s.Changed(filepath.Join(dir, "bas")).ReadFile(path); err != nil || string(f.Data) != "old" {
		t.Errorf("elsewhere something changed, and read is %v, %v", f, err)
	}
	if f, err := s.Changed(filepath.Join(dir, "base")).ReadFile(path); err != nil || string(f.Data) != "new" {
		t.Errorf("read %v, %v", f, err)
	}
}
