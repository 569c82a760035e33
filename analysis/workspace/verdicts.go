package workspace

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis"
)

// RootVerdict says what becomes of a root, and how much there is to say about it.
type RootVerdict struct {
	// Dir is the folder of the root.
	Dir              string
	Verdict          analysis.Verdict
	Errors, Warnings int
	// Because is the first diagnostic for which it fails or is unknown; nil where it builds.
	Because *analysis.Diagnostic
}

// Verdicts returns those of the roots that use a file, its own folder's first. A
// folder stands for its kustomization file.
func (v *View) Verdicts(ctx context.Context, file string) ([]RootVerdict, error) {
	if kustomization, ok := v.FileAt(file); ok {
		file = kustomization
	}
	report, err := v.CheckFile(ctx, file)
	if err != nil {
		return nil, err
	}
	reading, err := v.RootsReading(ctx, file)
	if err != nil {
		return nil, err
	}
	byDir := map[string]RootVerdict{}
	for _, one := range VerdictsOf(report.Report) {
		byDir[one.Dir] = one
	}
	verdicts := []RootVerdict{}
	for _, r := range reading {
		if known := r.lastOutcome(); known != nil && known.Reads.Has(file) {
			verdicts = append(verdicts, byDir[r.Dir])
		}
	}
	return verdicts, nil
}

// VerdictsOf returns the verdicts of the roots of a report, in its order. Components are
// none.
func VerdictsOf(report *analysis.Report) []RootVerdict {
	verdicts, at := []RootVerdict{}, map[string]int{}
	for _, r := range report.Roots {
		if r.Verdict != analysis.IsComponent {
			at[r.Dir] = len(verdicts)
			verdicts = append(verdicts, RootVerdict{Dir: r.Dir, Verdict: r.Verdict})
		}
	}
	for n := range report.Diagnostics {
		d := &report.Diagnostics[n]
		for _, dir := range d.Roots {
			i, ok := at[dir]
			if ok && verdicts[i].Because == nil && d.Decides(verdicts[i].Verdict) {
				verdicts[i].Because = d
			}
			switch {
			case !ok:
			case d.Severity == analysis.Error:
				verdicts[i].Errors++
			case d.Severity == analysis.Warning:
				verdicts[i].Warnings++
			}
		}
	}
	return verdicts
}
