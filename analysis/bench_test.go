package analysis_test

import (
	"path/filepath"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/gentree"
)

// BenchmarkCheckRepository checks 1,000 kustomizations, a tenth of which are bases of
// the others, as one check.
func BenchmarkCheckRepository(b *testing.B) {
	const bases = 100
	files := map[string][]byte{}
	for path, text := range gentree.Repository(bases) {
		files[filepath.Join("/repository", path)] = text
	}
	source := vfs.Memory(files)
	for b.Loop() {
		snapshot := vfs.NewSnapshot(source)
		targets, err := analysis.Discover(b.Context(), snapshot, "/repository")
		if err != nil {
			b.Fatal(err)
		}
		report, err := analysis.Check(b.Context(), builder.NewSession(snapshot).Remember(50_000), targets, analysis.Options{Rules: rules.All()})
		if err != nil || len(report.Diagnostics) > 0 || len(report.Roots) != bases*(gentree.OverlaysPerBase+1) {
			b.Fatal(report, err)
		}
	}
}
