package workspace

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
)

// RootVerdict says what becomes of a root, and how much there is to say about it.
type RootVerdict struct {
	// Dir is the folder of the root.
	Dir              string
	Verdict          analysis.Verdict
	Errors, Warnings int
}

// Verdicts returns those of the roots that use a file, its own folder's first. A
// folder stands for its kustomization file.
func (v *View) Verdicts(ctx context.Context, file string) ([]RootVerdict, error) {
	if kustomization, ok := v.FileAt(file); ok {
		file = kustomization
	}
	readers, err := v.Readers(ctx, file)
	if err != nil {
		return nil, err
	}
	verdicts := make([]RootVerdict, len(readers))
	for i, r := range readers {
		verdicts[i] = v.verdict(ctx, r)
	}
	return verdicts, nil
}

// verdict returns that of a root that was checked.
func (v *View) verdict(ctx context.Context, r *Root) RootVerdict {
	report := v.gather(ctx, []*Root{r}, nil).Report
	verdict := RootVerdict{Dir: r.Dir}
	for _, root := range report.Roots {
		if root.Dir == r.Dir {
			verdict.Verdict = root.Verdict
		}
	}
	for _, d := range report.Diagnostics {
		if !slices.Contains(d.Roots, r.Dir) {
			continue
		}
		switch d.Severity {
		case analysis.Error:
			verdict.Errors++
		case analysis.Warning:
			verdict.Warnings++
		}
	}
	return verdict
}
