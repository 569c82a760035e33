package rules

import (
	"context"
	"path"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"golang.org/x/tools/txtar"
)

// FuzzTree checks whole trees and applies all fixes: no panic, no mistake without a place in
// its file, and a build prints nothing for a root that is said to fail.
func FuzzTree(f *testing.F) {
	for i, p := range fixturePaths(f) {
		if i%8 != 0 {
			continue // the seeds are run with every test
		}
		x, err := fixture.Load(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(txtar.Format(&txtar.Archive{Files: treeOf(x)})))
	}
	f.Fuzz(func(t *testing.T, tree string) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		contents := map[string][]byte{path.Join(fixture.Root, "kustomization.yaml"): nil}
		for _, file := range txtar.Parse([]byte(tree)).Files {
			if name := path.Clean("/" + file.Name); name != "/" && !strings.ContainsRune(name, 0) {
				contents[path.Join(fixture.Root, name)] = file.Data
			}
		}
		for name := range contents {
			if _, isFile := contents[path.Dir(name)]; isFile {
				t.Skip("a file is a folder, too")
			}
		}
		check := func(ctx context.Context, files *vfs.Snapshot) (*analysis.Report, error) {
			targets, err := analysis.Discover(ctx, files, fixture.Root)
			if err != nil {
				return nil, err
			}
			return analysis.Check(ctx, builder.NewSession(files), targets, analysis.Options{Rules: All()})
		}
		files := vfs.NewSnapshot(vfs.Memory(contents))
		report, err := check(ctx, files)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range report.Diagnostics {
			if file, err := files.ReadFile(d.File); err == nil && (d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(file.Data)) {
				t.Errorf("%s is at %v of %d bytes of %s", d.Rule, d.Span, len(file.Data), d.File)
			}
			if d.Rule == "internal-error" {
				t.Errorf("%s: %s", d.File, d.Message)
			}
		}
		if _, err := analysis.Mend(ctx, files, check, func(string) bool { return true }, true); err != nil {
			t.Fatal(err)
		}
	})
}

func treeOf(x *fixture.Fixture) (files []txtar.File) {
	for _, file := range x.Files {
		files = append(files, txtar.File{Name: file.Path, Data: file.Data})
	}
	return files
}
