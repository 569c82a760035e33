package builder_test

import (
	"fmt"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestTreeIsParsedOnce asks for the trees of files: the same one comes again, until the
// file has another text or many others were asked about.
func TestTreeIsParsedOnce(t *testing.T) {
	large := append([]byte("a: b\n#"), make([]byte, 3<<20)...)
	for i := range large[6:] {
		large[6+i] = 'x'
	}
	files := map[string][]byte{"/a.yaml": []byte("a: b\n"), "/large1.yaml": large, "/large2.yaml": large}
	for i := range 100 {
		files[fmt.Sprintf("/%d.yaml", i)] = []byte("a: b\n")
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files)))
	tree := func(s *builder.Session, path string) any {
		t.Helper()
		f, err := s.Files().ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return s.Tree(f)
	}
	first := tree(session, "/a.yaml")
	for i := range 100 {
		tree(session, fmt.Sprintf("/%d.yaml", i))
	}
	if tree(session, "/a.yaml") != first {
		t.Error("a small file is parsed again")
	}
	edited := session.Derive(session.Files().With("/a.yaml", []byte("a: c\n")), "/a.yaml")
	if tree(edited, "/a.yaml") == first {
		t.Error("another text has the same tree")
	}
	one := tree(edited, "/large1.yaml")
	if tree(edited, "/large1.yaml") != one {
		t.Error("a large file is parsed again")
	}
	tree(edited, "/large2.yaml")
	tree(edited, "/0.yaml")
	if tree(edited, "/large1.yaml") == one {
		t.Error("two large files are kept besides the last")
	}
}
