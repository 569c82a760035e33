package workspace_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// hangingFolder does not return from listing a folder until it is released.
type hangingFolder struct {
	vfs.Source
	dir      string
	released chan struct{}
}

func (s hangingFolder) ReadDir(path string) ([]fs.DirEntry, error) {
	if path == s.dir {
		<-s.released
	}
	return s.Source.ReadDir(path)
}

func hanging() (hangingFolder, *workspace.View) {
	source := hangingFolder{vfs.Memory(map[string][]byte{
		"/t/base/kustomization.yaml":    []byte("resources: [gone.yaml]\n"),
		"/t/over/kustomization.yaml":    []byte("resources: [../base]\n"),
		"/t/hangs/o/kustomization.yaml": []byte("resources: [../../base]\n"),
	}), "/t/hangs", make(chan struct{})}
	return source, workspace.New(vfs.NewSnapshot(source), []string{"/t"}, analysis.Options{Rules: rules.All()})
}

// A question about files is answered without a folder that hangs, unless the files are there. What was built for it is kept
// when the folder can be read, also in views that come later.
func TestFolderThatHangs(t *testing.T) {
	source, view := hanging()
	roots, err := view.RootsFor(t.Context(), "/t/base/kustomization.yaml")
	if err != nil || !slices.Equal(slices.Sorted(maps.Keys(roots)), []string{"/t/base", "/t/over"}) || view.IsWhole() {
		t.Fatalf("found are %v, %v; whole: %t", roots, err, view.IsWhole())
	}
	for _, files := range [][]string{nil, {"/t/hangs/o/kustomization.yaml"}, {"/t/base/kustomization.yaml", "/t/hangs/new.yaml"}} {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		if roots, err := view.RootsFor(ctx, files...); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("about %v there are %v, %v: it does not wait for the folder", files, roots, err)
		}
		cancel()
	}
	built, err := view.Build(t.Context(), roots["/t/base"])
	if err != nil {
		t.Fatal(err)
	}
	over := "/t/over/kustomization.yaml"
	view = view.Edit(over, []byte("resources: [../base]\nnamePrefix: a-\n"))
	if roots, err = view.RootsFor(t.Context(), over); err != nil || len(roots) != 2 {
		t.Fatal(roots, err)
	}
	close(source.released)
	if roots, err = view.Roots(t.Context()); err != nil || len(roots) != 3 || !view.IsWhole() {
		t.Fatal(roots, err, view.IsWhole())
	}
	if roots["/t/base"].Current() != built {
		t.Error("the base was built for nothing")
	}
	if next, err := view.Edit(over, nil).Roots(t.Context()); err != nil || len(next) != 3 || next["/t/base"] != roots["/t/base"] {
		t.Error(next, err)
	}
}

// A check reports what is wrong with the files that are open before a folder that hangs is read. Only what roots say that
// were checked is settled, and the report is not the last.
func TestCheckReportsBesideFolderThatHangs(t *testing.T) {
	source, view := hanging()
	base := "/t/base/kustomization.yaml"
	reports := make(chan *workspace.PartialReport, 10)
	done := make(chan error, 1)
	go func() {
		done <- view.Check(t.Context(), []string{base}, func(f *workspace.PartialReport) { reports <- f })
	}()
	first := <-reports
	if first.Final || len(first.Diagnostics) != 1 || !first.Settled(base) || first.Settled("/t/hangs/o/kustomization.yaml") {
		t.Errorf("%+v", first)
	}
	close(source.released)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	last := first
	for len(reports) > 0 {
		last = <-reports
	}
	if !last.Final || len(last.Roots) != 3 || !last.Settled("/t/hangs/o/kustomization.yaml") {
		t.Errorf("%+v", last)
	}
}
