package builder_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestDeriveRebuildsWhatChanged holds that a session over the next snapshot sees
// the new text of the file that changed and keeps the parsed rest, and that the
// read-set tells the two apart.
func TestDeriveRebuildsWhatChanged(t *testing.T) {
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/r/over/kustomization.yaml": []byte("resources: [../base]\nnamePrefix: a-\n"),
		"/r/base/kustomization.yaml": []byte("resources: [cm.yaml]\n"),
		"/r/base/cm.yaml":            []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"),
		"/r/other/cm.yaml":           []byte("{}"),
	}))
	session := builder.NewSession(files)
	first := mustBuild(t, session, "/r/over")
	for path, want := range map[string]bool{
		"/r/over/kustomization.yaml": true, "/r/base/cm.yaml": true, "/r/base": true,
		"/r/base/kustomization.yml": true, // it would be a second kustomization file
		"/r/other/cm.yaml":          false, "/r/base/new.yaml": false,
	} {
		if got := first.Reads.Touches(path); got != want {
			t.Errorf("Touches(%s) = %v", path, got)
		}
	}
	files = files.With("/r/over/kustomization.yaml", []byte("resources: [../base]\nnamePrefix: b-\n"))
	derived := session.Derive(files)
	second := mustBuild(t, derived, "/r/over")
	if name := second.Resources[0].ID().Name; name != "b-x" {
		t.Errorf("the derived session names the resource %q", name)
	}
	cm, err := files.ReadFile("/r/base/cm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if session.FileID(cm) != derived.FileID(cm) {
		t.Error("a file that did not change was read again")
	}
	if again := mustBuild(t, session, "/r/over"); again.Resources[0].ID().Name != "a-x" {
		t.Error("the older session sees the newer text")
	}
}

func mustBuild(t *testing.T, s *builder.Session, dir string) *builder.Result {
	t.Helper()
	r, err := s.Build(context.Background(), dir, builder.Options{})
	if err != nil || r.Failed() || len(r.Resources) != 1 {
		t.Fatalf("%v, %+v", err, r)
	}
	return r
}

// vanishing is a source in which files are listed and cannot be read any more.
type vanishing struct{ vfs.Source }

func (v vanishing) ReadFile(path string) ([]byte, error) {
	if strings.HasSuffix(path, "kustomization.yaml") {
		return v.Source.ReadFile(path)
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// Files that go away while they are read, many at a time, are missing, each for itself.
// The race detector sees that.
func TestFilesVanishWhileTheyAreRead(t *testing.T) {
	files := map[string][]byte{}
	list := "resources:\n"
	for i := range 40 {
		name := fmt.Sprintf("file-%d.yaml", i)
		files["/r/"+name] = []byte("kind: x\n")
		list += "- " + name + "\n"
	}
	files["/r/kustomization.yaml"] = []byte(list)
	result, err := builder.NewSession(vfs.NewSnapshot(vanishing{vfs.Memory(files)})).Build(t.Context(), "/r", builder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	missing := 0
	for _, p := range result.Problems {
		if p.Code == problem.MissingPath {
			missing++
		}
	}
	if missing != 40 {
		t.Errorf("%d files are missing, want 40", missing)
	}
}
