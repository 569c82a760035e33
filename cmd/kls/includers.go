package main

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/engine/builder"
)

// withIncluders takes findings back that kustomizations outside of what is checked mend
// or make right: a base that is checked by itself has no other findings than in a check
// of the whole repository. It only looks for them where a finding depends on them.
func (c *checkRun) withIncluders(ctx context.Context, session *builder.Session, options analysis.Options, report *analysis.Report) (*analysis.Report, error) {
	outside, err := c.includers(ctx, report)
	if err != nil || len(outside) == 0 {
		return report, err
	}
	options.Built = nil
	theirs, err := analysis.Check(ctx, session, outside, options)
	if err != nil {
		return nil, err
	}
	return report.MendedBy(theirs), nil
}

// includers returns the kustomizations that are not checked and include one of which a
// finding depends on who includes it.
func (c *checkRun) includers(ctx context.Context, report *analysis.Report) (outside []analysis.Target, err error) {
	byScope := map[string][]affected.File{}
	for _, root := range report.Dependent() {
		if scope := c.printer.scope(root.Dir); !slices.Contains(c.whole, scope) {
			byScope[scope] = append(byScope[scope], affected.File{Path: root.File})
		}
	}
	for scope, files := range byScope {
		found, err := affected.Targets(ctx, c.printer.files, c.request(scope, files))
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			if !c.seen[t.Dir] && !c.printer.configs.Excluded(t.Dir) {
				outside = append(outside, t)
			}
		}
	}
	return outside, nil
}
