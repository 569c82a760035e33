package analysis_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
)

// TestMergedSeverity merges one mistake that makes one root fail and not another, in both
// orders: it is as bad as where it is worst.
func TestMergedSeverity(t *testing.T) {
	of := func(dir string, severity analysis.Severity) *analysis.Report {
		return &analysis.Report{Roots: []analysis.Root{{Dir: dir}}, Diagnostics: []analysis.Diagnostic{
			{Rule: "missing-path", Severity: severity, Place: analysis.Place{File: "/base/kustomization.yaml"}, Message: "m", Roots: []string{dir}}}}
	}
	for _, reports := range [][]*analysis.Report{
		{of("/a", analysis.Warning), of("/b", analysis.Error)}, {of("/a", analysis.Error), of("/b", analysis.Warning)}, {of("/a", analysis.Hint), of("/b", analysis.Error)},
	} {
		merged := analysis.Merge(reports...)
		if len(merged.Diagnostics) != 1 || merged.Diagnostics[0].Severity != analysis.Error || len(merged.Diagnostics[0].Roots) != 2 {
			t.Errorf("merged are %+v", merged.Diagnostics)
		}
	}
}
