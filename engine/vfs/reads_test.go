package vfs_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

func TestReadsTouches(t *testing.T) {
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/a/b/c.yaml": []byte("x"), "/a/d/e.yaml": []byte("y")}))
	reads := vfs.NewReads()
	recording := vfs.Record(files, reads)
	if f, err := recording.ReadFile("/a/b/c.yaml"); err != nil || string(f.Data) != "x" {
		t.Fatalf("ReadFile: %v, %v", f, err)
	}
	if _, err := recording.EvalSymlinks("/a/missing/f.yaml"); err == nil {
		t.Fatal("a missing path was resolved")
	}
	if entries, err := recording.ReadDir("/a/d"); err != nil || len(entries) != 1 {
		t.Fatalf("ReadDir: %v, %v", entries, err)
	}
	for path, want := range map[string]bool{
		"/a/b/c.yaml":         true,  // it was read
		"/a/b/./c.yaml":       true,  // by another spelling
		"/a/b":                true,  // the folder it is in goes away
		"/a/missing":          true,  // the folder that was missing appears
		"/a/missing/f.yaml":   true,  // so does the file
		"/a/missing/f.yaml/k": true,  // or it is a folder, and has something in it
		"/a/missing/g.yaml":   false, // beside it
		"/a/d/new.yaml":       true,  // a name in a folder that was listed
		"/a/d/deep/er.yaml":   false, // below it nothing was looked at
		"/a/b/other.yaml":     false, // beside a file that was read
		"/z":                  false,
	} {
		if got := reads.Touches(path); got != want {
			t.Errorf("Touches(%q) = %v", path, got)
		}
	}
	if reads.Has("/a/d/new.yaml") || !reads.Has("/a/b/c.yaml") {
		t.Error("Has is for what was asked for, and not for what is beside it")
	}
}

func TestSnapshotKeepsWhatTypingCannotChange(t *testing.T) {
	source := &counting{Source: vfs.Memory(map[string][]byte{"/a/b.yaml": []byte("disk"), "/a/c.yaml": []byte("c")})}
	first := vfs.NewSnapshot(source).With("/a/b.yaml", []byte("one"))
	for _, path := range []string{"/a/b.yaml", "/a/c.yaml"} {
		if _, err := first.EvalSymlinks(path); err != nil {
			t.Fatal(err)
		}
	}
	asked := source.links
	second := first.With("/a/b.yaml", []byte("two"))
	if path, err := second.EvalSymlinks("/a/c.yaml"); err != nil || path != "/a/c.yaml" {
		t.Fatal(path, err)
	}
	if source.links != asked {
		t.Error("typing in an open file made the disk be asked again for a symbolic link")
	}
	if f, _ := second.ReadFile("/a/b.yaml"); string(f.Data) != "two" {
		t.Errorf("the buffer holds %q", f.Data)
	}
	if f, _ := first.ReadFile("/a/b.yaml"); string(f.Data) != "one" {
		t.Errorf("the older snapshot holds %q", f.Data)
	}
	third := second.With("/a/b.yaml", nil)
	if _, err := third.EvalSymlinks("/a/c.yaml"); err != nil {
		t.Fatal(err)
	}
	if source.links == asked {
		t.Error("closing a file may change what is there, and the disk was not asked")
	}
}

type counting struct {
	vfs.Source
	links int
}

func (c *counting) EvalSymlinks(path string) (string, error) {
	c.links++
	return c.Source.EvalSymlinks(path)
}
