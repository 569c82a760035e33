package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReplaceKeepsTheOwner needs the rights of root, as in a container.
func TestReplaceKeepsTheOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(oldText), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 1234, 2345); err != nil {
		t.Skip("only root can give files away")
	}
	if err := writeWhole(path, []byte(newText)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 1234 || s.Gid != 2345 {
		t.Errorf("the owner is %d:%d", s.Uid, s.Gid)
	}
}

// TestReplaceOnAFullOrReadOnlyFileSystem holds that the old file stays, whole, with nothing beside it.
func TestReplaceOnAFullOrReadOnlyFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("only root can mount a small file system")
	}
	defer syscall.Unmount(dir, 0)
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte(oldText), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := writeWhole(path, []byte(strings.Repeat(newText, 64<<10))); err == nil {
		t.Error("more was written than there is room for")
	}
	unchanged := func(when string) {
		t.Helper()
		if text, err := os.ReadFile(path); err != nil || string(text) != oldText || namesIn(t, dir) != "file" {
			t.Errorf("%s: %q, %v, %s", when, text, err, namesIn(t, dir))
		}
	}
	unchanged("full")
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("it cannot be made read-only")
	}
	if err := writeWhole(path, []byte(newText)); err == nil {
		t.Error("a read-only file system was written to")
	}
	unchanged("read-only")
}
