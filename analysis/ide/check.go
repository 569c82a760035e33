package ide

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"golang.org/x/sync/errgroup"
)

// Findings are the diagnostics of the roots that were checked so far.
type Findings struct {
	*analysis.Report
	checked, pending []*root
}

// Settled tells whether no root that these findings leave out is known to have
// diagnostics in the file, or to read it. That nothing reads it is known in the end.
func (f *Findings) Settled(file string) bool {
	isRead := func(r *root) bool { return r.current() != nil && r.current().reads.Has(file) }
	if len(f.pending) > 0 && !slices.ContainsFunc(f.checked, isRead) {
		return false
	}
	for _, r := range f.pending {
		known := r.known()
		if known == nil {
			continue
		}
		if known.reads.Has(file) || slices.ContainsFunc(known.report.Diagnostics, func(d analysis.Diagnostic) bool { return d.File == file }) {
			return false
		}
	}
	return true
}

// known returns what was found in the root last, nil for nothing.
func (r *root) known() *finding {
	if b := r.current(); b != nil {
		return &b.finding
	}
	return r.last
}

// Check reports what is wrong with the kustomizations of the view: publish is
// called with the findings of the roots that look at the given files, and once
// more when all roots are checked. Only what changed since the views before is
// built. The error is for cancellation.
func (v *View) Check(ctx context.Context, first []string, publish func(*Findings)) error {
	byDir, err := v.roots(ctx)
	if err != nil {
		return err
	}
	var urgent, rest, components []*root
	for _, r := range sortedRoots(byDir) {
		switch {
		case r.target.Component:
			components = append(components, r)
		case r.concerns(first):
			urgent = append(urgent, r)
		default:
			rest = append(rest, r)
		}
	}
	if err := v.checkAll(ctx, urgent); err != nil {
		return err
	}
	if pending := unchecked(rest); len(urgent) > 0 && len(pending) > 0 {
		publish(v.findings(append(urgent, rest...), append(pending, components...)))
	}
	if err := v.checkAll(ctx, rest); err != nil {
		return err
	}
	all := append(urgent, rest...)
	alone := v.notIncluded(components, all)
	if err := v.checkAll(ctx, alone); err != nil {
		return err
	}
	publish(v.findings(append(all, alone...), nil))
	return nil
}

// concerns tells whether the root looked at one of the files when it was built
// last, or, where it was not, has one of them in its folder.
func (r *root) concerns(files []string) bool {
	known := r.known()
	return slices.ContainsFunc(files, func(file string) bool {
		if known != nil {
			return known.reads.Has(file)
		}
		return filepath.Dir(file) == r.target.Dir
	})
}

func (v *View) checkAll(ctx context.Context, roots []*root) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, r := range unchecked(roots) {
		group.Go(func() error {
			_, err := r.check(ctx, v.options, v.kept)
			return err
		})
	}
	return group.Wait()
}

func unchecked(roots []*root) []*root {
	var pending []*root
	for _, r := range roots {
		if r.current() == nil {
			pending = append(pending, r)
		}
	}
	return pending
}

// notIncluded returns the components that no root includes.
func (v *View) notIncluded(components, roots []*root) []*root {
	included := map[string]bool{}
	for _, r := range roots {
		for dir := range r.current().components {
			included[dir] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(components), func(r *root) bool { return included[v.realPath(r.target.Dir)] })
}

func (v *View) realPath(path string) string {
	if real, err := v.files.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// findings puts together what is known of the roots; only where none is pending it
// is known which files nothing includes.
func (v *View) findings(roots, pending []*root) *Findings {
	var reports []*analysis.Report
	inclusion := &analysis.Inclusion{Strays: &v.kept.strays}
	for _, r := range roots {
		if b := r.current(); b != nil {
			reports = append(reports, b.report)
			if b.included != nil {
				inclusion.Include(b.included)
			}
		}
	}
	review := analysis.Review{Files: v.files, Rules: v.options.Rules, Config: v.options.Config}
	if len(pending) == 0 {
		review.Inclusion, review.Complete = inclusion, v.isInFolders
	}
	return &Findings{review.Apply(analysis.Merge(reports...)), roots, pending}
}
