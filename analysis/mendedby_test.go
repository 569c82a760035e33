package analysis_test

import (
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/text"
)

// A base is checked alone, and an overlay elsewhere mends one of its two findings. What the overlay has to say besides is no
// business of the base's report, nor is the overlay a root of it.
func TestMendedBy(t *testing.T) {
	at := func(line int) analysis.Place {
		return analysis.Place{File: "/base/kustomization.yaml", Span: text.Span{Start: line, End: line + 1}}
	}
	base := analysis.Root{Dir: "/base", File: "/base/kustomization.yaml", Verdict: analysis.Builds}
	other := analysis.Root{Dir: "/other", File: "/other/kustomization.yaml", Verdict: analysis.Builds}
	over := analysis.Root{Dir: "/over", File: "/over/kustomization.yaml", Verdict: analysis.Builds, Includes: []string{"/base"}}
	mended := analysis.Diagnostic{Place: at(1), Severity: analysis.Warning, Rule: "a", Message: "of the base alone", Roots: []string{"/base"}, Shared: "/base"}
	stays := analysis.Diagnostic{Place: at(2), Severity: analysis.Warning, Rule: "b", Message: "everywhere", Roots: []string{"/base"}, Shared: "/base"}
	plain := analysis.Diagnostic{Place: at(3), Severity: analysis.Warning, Rule: "c", Message: "in another root", Roots: []string{"/other"}}
	inOverlay := stays
	inOverlay.Roots = []string{"/over"}
	own := analysis.Diagnostic{Place: analysis.Place{File: over.File}, Severity: analysis.Error, Rule: "d", Message: "of the overlay", Roots: []string{"/over"}}

	report := &analysis.Report{Roots: []analysis.Root{base, other}, Diagnostics: []analysis.Diagnostic{mended, stays, plain}}
	if dependent := report.Dependent(); len(dependent) != 1 || dependent[0].Dir != "/base" {
		t.Errorf("who includes it matters to %v", dependent)
	}
	got := report.MendedBy(&analysis.Report{Roots: []analysis.Root{over}, Diagnostics: []analysis.Diagnostic{inOverlay, own}})
	var rules []string
	for _, d := range got.Diagnostics {
		rules = append(rules, d.Rule)
		if slices.Contains(d.Roots, "/over") {
			t.Errorf("%s is reported of the overlay", d.Rule)
		}
	}
	if !slices.Equal(rules, []string{"b", "c"}) || len(got.Roots) != 2 {
		t.Errorf("reported are %v of %v", rules, got.Roots)
	}
	if len(report.Diagnostics) != 3 || len(report.Diagnostics[1].Roots) != 1 {
		t.Errorf("the report itself was changed: %+v", report.Diagnostics)
	}
}
