package vfs

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// What the listing of a folder says of the names in it has to be what the disk says.
func TestListedFoldersAnswerAsTheDiskDoes(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"file.yaml", "File.yaml", "folder/inner.yaml", "größe.yaml"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"link.yaml": "file.yaml", "linked": "folder", "dangling": "nowhere"} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Skip("links cannot be made here:", err)
		}
	}
	asked, listed := NewSnapshot(Disk()), NewSnapshot(Disk())
	for _, folder := range []string{dir, at("folder")} {
		if _, err := listed.ReadDir(folder); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"file.yaml", "File.yaml", "FILE.yaml", "none.yaml", "folder", "folder/inner.yaml", "folder/none",
		"linked", "linked/inner.yaml", "linked/none", "link.yaml", "dangling", "größe.yaml", "gruße.yaml", "none/inner.yaml", "file.yaml/x"} {
		isDir, err := asked.IsDir(at(name))
		if got, gotErr := listed.IsDir(at(name)); got != isDir || missing(gotErr) != missing(err) || (gotErr == nil) != (err == nil) {
			t.Errorf("IsDir of %s: %v, %v instead of %v, %v", name, got, gotErr, isDir, err)
		}
		real, err := asked.EvalSymlinks(at(name))
		if got, gotErr := listed.EvalSymlinks(at(name)); got != real || missing(gotErr) != missing(err) {
			t.Errorf("EvalSymlinks of %s: %q, %v instead of %q, %v", name, got, gotErr, real, err)
		}
		_, err = asked.ReadFile(at(name))
		if _, gotErr := listed.ReadFile(at(name)); missing(gotErr) != missing(err) || (gotErr == nil) != (err == nil) {
			t.Errorf("ReadFile of %s: %v instead of %v", name, gotErr, err)
		}
	}
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// A listed folder is not asked for its names again.
func TestListedFoldersAreNotAsked(t *testing.T) {
	source := &counting{Source: Memory(map[string][]byte{"/a/file.yaml": nil, "/a/folder/x": nil})}
	files := NewSnapshot(source)
	if _, err := files.ReadDir("/a"); err != nil {
		t.Fatal(err)
	}
	for name, isDir := range map[string]bool{"/a/file.yaml": false, "/a/folder": true} {
		if got, err := files.IsDir(name); got != isDir || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := files.ReadFile("/a/none"); !missing(err) || source.asked > 0 {
		t.Errorf("%v, and the source was asked %d times", err, source.asked)
	}
}

type counting struct {
	Source
	asked int
}

func (c *counting) IsDir(path string) (bool, error) {
	c.asked++
	return c.Source.IsDir(path)
}

func (c *counting) ReadFile(path string) ([]byte, error) {
	c.asked++
	return c.Source.ReadFile(path)
}

func TestCleanedAndAbove(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		path := make([]byte, random.IntN(9))
		for i := range path {
			path[i] = "/./a.b/"[random.IntN(7)]
		}
		got, want := cleaned(string(path)), filepath.Clean(string(path))
		if got != want || above(want) != filepath.Dir(want) {
			t.Fatalf("%q: %q instead of %q, above it %q instead of %q", path, got, want, above(want), filepath.Dir(want))
		}
	}
}
