package ide

import (
	"context"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
)

// fixActions offers the fixes that the diagnostics bring along.
func fixActions(ctx context.Context, s *actionScene) ([]*Action, error) {
	diagnostics, err := s.diagnostics(ctx)
	if err != nil {
		return nil, err
	}
	var actions []*Action
	for _, d := range diagnostics {
		for i, fix := range d.Fixes {
			actions = append(actions, &Action{
				ID:        fmt.Sprintf("fix %s %d %s", d.Rule, d.Span.Start, fix.Title),
				Title:     fix.Title,
				Kind:      QuickFix,
				Mends:     &d,
				Preferred: fix.Safe && i == 0,
				make:      made(&Edit{Edits: fix.Edits}),
			})
		}
	}
	return actions, nil
}

// reportOn returns the findings, those of all roots that a file belongs to among them; where
// no folder is looked into, what the file says alone.
func (v *View) reportOn(ctx context.Context, file string) (*analysis.Report, error) {
	if len(v.folders) == 0 {
		return &analysis.Report{Diagnostics: v.Alone(file)}, nil
	}
	byDir, err := v.roots(ctx)
	if err != nil {
		return nil, err
	}
	// Which roots those are is known of roots that were built.
	roots := slices.DeleteFunc(sortedRoots(byDir), func(r *root) bool { return r.Component })
	if err := v.checkAll(ctx, roots); err != nil {
		return nil, err
	}
	f, err := v.CheckFile(ctx, file)
	if err != nil {
		return nil, err
	}
	return f.Report, nil
}
