package action

import (
	"context"
	"fmt"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// fixActions offers the fixes that the diagnostics bring along.
func fixActions(ctx context.Context, s *scene) ([]*Action, error) {
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
				make:      fixedEdit(&workspace.Edit{Edits: fix.Edits}),
			})
		}
	}
	return actions, nil
}

// reportOn returns the findings, those of all roots that a file belongs to among them; where
// no folder is looked into, what the file says alone.
func reportOn(ctx context.Context, v *workspace.View, file string) (*analysis.Report, error) {
	if len(v.Folders()) == 0 {
		return &analysis.Report{Diagnostics: v.Alone(file)}, nil
	}
	f, err := v.CheckFile(ctx, file)
	if err != nil {
		return nil, err
	}
	return f.Report, nil
}
