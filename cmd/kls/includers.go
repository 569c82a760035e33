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
	own := map[string]bool{}
	for _, r := range report.Roots {
		own[r.Dir] = true
	}
	type finding struct {
		rule  string
		place analysis.Place
	}
	reported := map[finding]bool{}
	for _, d := range report.Diagnostics {
		reported[finding{d.Rule, d.Place}] = true
	}
	merged := analysis.Merge(report, theirs)
	merged.Roots, merged.Suppressed = report.Roots, report.Suppressed
	merged.Diagnostics = slices.DeleteFunc(merged.Diagnostics, func(d analysis.Diagnostic) bool { return !reported[finding{d.Rule, d.Place}] })
	for i := range merged.Diagnostics {
		d := &merged.Diagnostics[i]
		d.Roots = slices.DeleteFunc(slices.Clone(d.Roots), func(dir string) bool { return !own[dir] })
	}
	return merged, nil
}

// includers returns the kustomizations that are not checked and include one of which a
// finding depends on who includes it.
func (c *checkRun) includers(ctx context.Context, report *analysis.Report) (outside []analysis.Target, err error) {
	byScope := map[string][]affected.File{}
	seen := map[string]bool{}
	for _, d := range report.Diagnostics {
		if !d.Mendable && d.Shared == "" {
			continue
		}
		for _, dir := range d.Roots {
			i := slices.IndexFunc(report.Roots, func(r analysis.Root) bool { return r.Dir == dir })
			scope := c.printer.scope(dir)
			if i < 0 || report.Roots[i].File == "" || seen[dir] || slices.Contains(c.whole, scope) {
				continue
			}
			seen[dir] = true
			byScope[scope] = append(byScope[scope], affected.File{Path: report.Roots[i].File})
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
