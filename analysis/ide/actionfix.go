package ide

import (
	"context"
	"fmt"

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

// reportOn returns the findings of the roots that a file belongs to.
func (v *View) reportOn(ctx context.Context, file string) (*analysis.Report, error) {
	byDir, err := v.roots(ctx)
	if err != nil {
		return nil, err
	}
	var roots, components []*root
	for _, r := range sortedRoots(byDir) {
		if r.target.Component {
			components = append(components, r)
		} else {
			roots = append(roots, r)
		}
	}
	if err := v.checkAll(ctx, roots); err != nil {
		return nil, err
	}
	alone := v.notIncluded(components, roots)
	if err := v.checkAll(ctx, alone); err != nil {
		return nil, err
	}
	return v.gather(concerning(append(roots, alone...), file), nil).Report, nil
}

// concerning returns those of the roots that were checked that have to do with a file.
func concerning(roots []*root, file string) []*root {
	var of []*root
	for _, r := range roots {
		if b := r.current(); b != nil && (b.reads.Has(file) || b.speaksOf(file)) {
			of = append(of, r)
		}
	}
	return of
}

func (b *built) speaksOf(file string) bool {
	for _, d := range b.report.Diagnostics {
		if d.File == file {
			return true
		}
	}
	return false
}
