package analysis_test

import (
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
)

// TestRelatedPlaceInAnotherFile has one resource in two files: what is said of the second
// leads to the first, in its own file and at its own line.
func TestRelatedPlaceInAnotherFile(t *testing.T) {
	tree := `
-- kustomization.yaml --
resources: [first.yaml, second.yaml]
-- first.yaml --
# a line
# and another
` + service + `-- second.yaml --
` + service
	report := check(t, tree)
	i := slices.IndexFunc(report.Diagnostics, func(d analysis.Diagnostic) bool { return d.Rule == "duplicate-resource" })
	if i < 0 {
		t.Fatalf("found are %v", report.Diagnostics)
	}
	files := map[string]string{"/first.yaml": "# a line\n# and another\n" + service, "/second.yaml": service, "/kustomization.yaml": "resources: [first.yaml, second.yaml]\n"}
	at := func(p analysis.Place) string { return p.File + " " + files[p.File][p.Span.Start:p.Span.End] }
	d := report.Diagnostics[i]
	var got []string
	for _, r := range d.Related {
		got = append(got, at(r.Place))
	}
	want := []string{"/first.yaml web", "/kustomization.yaml second.yaml", "/kustomization.yaml first.yaml"}
	if at(d.Place) != "/second.yaml web" || !slices.Equal(got, want) {
		t.Errorf("%s leads to %q, want %q", at(d.Place), got, want)
	}
}
