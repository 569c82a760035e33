package workspace

import (
	"context"
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestRelatedPlacesMove types above a place that a diagnostic of another file leads to: it
// moves as the diagnostic's own would, and goes away with its file.
func TestRelatedPlacesMove(t *testing.T) {
	before := vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/a": []byte("one\n"), "/b": []byte("two\nthree\n"), "/c": []byte("four\n")}))
	after := vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/a": []byte("one\n"), "/b": []byte("12345two\nthree\n")}))
	place := func(file string, start, end int) analysis.Place {
		return analysis.Place{File: file, Span: text.Span{Start: start, End: end}}
	}
	report := &analysis.Report{Diagnostics: []analysis.Diagnostic{{Rule: "x", Place: place("/a", 0, 3), Related: []analysis.Related{
		{Place: place("/b", 4, 9), Message: "moves"}, {Place: place("/a", 1, 2), Message: "stays"}, {Place: place("/c", 0, 4), Message: "is gone"}}}}}
	for _, version := range []*vfs.Snapshot{before, after} {
		for _, path := range []string{"/a", "/b", "/c"} {
			_, _ = version.ReadFile(path)
		}
	}
	moved := newCarrier(after).report(report, before)
	if len(moved.Diagnostics) != 1 || moved.Diagnostics[0].Place != place("/a", 0, 3) {
		t.Fatalf("the diagnostics are %+v", moved.Diagnostics)
	}
	want := []analysis.Related{{Place: place("/b", 9, 14), Message: "moves"}, {Place: place("/a", 1, 2), Message: "stays"}}
	if got := moved.Diagnostics[0].Related; !slices.Equal(got, want) {
		t.Errorf("related are %+v, want %+v", got, want)
	}
	if report.Diagnostics[0].Related[0].Span.Start != 4 {
		t.Error("the report itself was changed")
	}
}

// TestFolderAddedBeforeAnEdit adds a folder, and then a file is edited before anybody asked
// for what is in the folders: the new one is looked into all the same.
func TestFolderAddedBeforeAnEdit(t *testing.T) {
	kustomization := []byte("resources: []\n")
	view := New(vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/one/kustomization.yaml": kustomization, "/two/kustomization.yaml": kustomization})), []string{"/one"}, analysis.Options{})
	folders := func() []string {
		t.Helper()
		roots, err := view.Roots(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var dirs []string
		for _, r := range SortedRoots(roots) {
			dirs = append(dirs, r.Dir)
		}
		return dirs
	}
	if got := folders(); !slices.Equal(got, []string{"/one"}) {
		t.Fatalf("found are %v", got)
	}
	view = view.In([]string{"/one", "/two"}).Edit("/one/kustomization.yaml", []byte("resources: [] # edited\n"))
	if got := folders(); !slices.Equal(got, []string{"/one", "/two"}) {
		t.Errorf("found are %v", got)
	}
	view = view.In([]string{"/two"}).Changed("/two/other.yaml")
	if got := folders(); !slices.Equal(got, []string{"/two"}) {
		t.Errorf("without the first, found are %v", got)
	}
}
