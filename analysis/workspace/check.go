package workspace

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/parallel"
)

// PartialReport are the diagnostics of the roots that were checked so far, and of the
// others what was found in them last.
type PartialReport struct {
	*analysis.Report
	// Final is true where nothing is left to be checked.
	Final            bool
	checked, pending []*Root
	whole            bool // false where there may be roots that were not discovered yet
	// drafted are the files of a Draft, nil for no draft.
	drafted map[string]bool
	// concerned are the roots of a CheckFile, by folder.
	concerned map[string]bool
}

// Related tells whether something in another file concerns the roots of the file for
// which the report is.
func (f *PartialReport) Related(other string) bool {
	return slices.ContainsFunc(f.Diagnostics, func(d analysis.Diagnostic) bool {
		return d.File == other && slices.ContainsFunc(d.Roots, func(dir string) bool { return f.concerned[dir] })
	})
}

// Settled tells whether the report is to be shown in a file: whether no root that
// is left to be checked is known to have diagnostics in it, or to read it. That
// nothing reads it is known in the end. Of a draft only its files are.
func (f *PartialReport) Settled(file string) bool {
	if f.drafted != nil {
		return f.drafted[file]
	}
	isRead := func(r *Root) bool { return r.Current() != nil && r.Current().Reads.Has(file) }
	if (len(f.pending) > 0 || !f.whole) && !slices.ContainsFunc(f.checked, isRead) {
		return false
	}
	for _, r := range f.pending {
		known := r.lastOutcome()
		if known == nil {
			continue
		}
		if known.Reads.Has(file) || slices.ContainsFunc(known.Report.Diagnostics, func(d analysis.Diagnostic) bool { return d.File == file }) {
			return false
		}
	}
	return true
}

// lastOutcome returns what was found in the root last, nil for nothing.
func (r *Root) lastOutcome() *outcome {
	if b := r.Current(); b != nil {
		return &b.outcome
	}
	return r.previous()
}

// Check reports what is wrong with the kustomizations of the view: publish is
// called with the report on the roots that look at the given files, before and
// after their resources are held against the schemas, and once more when all is
// done. Only what changed since the views before is built. The error is for
// cancellation.
func (v *View) Check(ctx context.Context, first []string, publish func(*PartialReport)) error {
	byDir, err := v.RootsFor(ctx, first...)
	if err != nil {
		return err
	}
	urgent, rest, components := inOrder(byDir, first)
	if !v.IsWhole() { // some folder hangs, which need not keep back what is found elsewhere
		if err := v.checkWhole(ctx, urgent); err != nil {
			return err
		}
		publish(v.partialReport(ctx, urgent, append(rest, components...)))
		if byDir, err = v.Roots(ctx); err != nil {
			return err
		}
		urgent, rest, components = inOrder(byDir, first)
	}
	all := append(slices.Clone(urgent), rest...)
	if err := v.CheckAll(ctx, urgent); err != nil {
		return err
	}
	pending := unchecked(rest)
	if len(urgent) > 0 && (len(pending) > 0 || v.lackSchemas(urgent)) {
		publish(v.partialReport(ctx, all, append(slices.Clone(pending), components...)))
	}
	if v.lackSchemas(urgent) && len(pending) > 0 {
		if err := v.checkWhole(ctx, urgent); err != nil {
			return err
		}
		publish(v.partialReport(ctx, all, append(slices.Clone(pending), components...)))
	}
	if err := v.checkWhole(ctx, all); err != nil {
		return err
	}
	alone := v.notIncluded(components, all)
	if err := v.checkWhole(ctx, alone); err != nil {
		return err
	}
	last := v.partialReport(ctx, append(all, alone...), nil)
	if err := ctx.Err(); err != nil {
		return err
	}
	publish(last)
	return nil
}

// inOrder returns the roots that look at some files, the others, and the components.
func inOrder(roots map[string]*Root, files []string) (urgent, rest, components []*Root) {
	for _, r := range SortedRoots(roots) {
		switch {
		case r.Component:
			components = append(components, r)
		case r.concerns(files):
			urgent = append(urgent, r)
		default:
			rest = append(rest, r)
		}
	}
	return urgent, rest, components
}

// maxFileRoots is how many of the roots that read a file are waited for when somebody asks
// about the file.
const maxFileRoots = 8

// CheckFile returns the report in a file once the nearest of the roots are checked that
// read it. Of the others it has what was found in them last; where one was never checked,
// that is waited for. The error is for cancellation.
func (v *View) CheckFile(ctx context.Context, file string) (*PartialReport, error) {
	byDir, err := v.RootsFor(ctx, file)
	if err != nil {
		return nil, err
	}
	reading, err := v.RootsReading(ctx, file)
	if err != nil {
		return nil, err
	}
	alone, err := v.componentsAlone(ctx, file)
	if err != nil {
		return nil, err
	}
	concerned := append(reading, alone...)
	near := nearestAndNew(concerned)
	mended := &mendedSince{before: v.lastFound(near)}
	if err := v.checkWhole(ctx, near); err != nil {
		return nil, err
	}
	mended.now = v.lastFound(near)
	var shown, components []*Root
	for _, r := range SortedRoots(byDir) {
		if r.Component {
			components = append(components, r)
		} else {
			shown = append(shown, r)
		}
	}
	pending := unchecked(shown)
	complete := v.isComplete(shown)
	if complete {
		shown = append(shown, v.notIncluded(components, shown)...)
		complete = v.isComplete(shown)
	} else {
		shown = concerned
	}
	f := v.gather(ctx, shown, complete, func(_ *Root, last *outcome, carry *carrier) *analysis.Report {
		return mended.without(carry.report(last.Report, last.files))
	})
	if ctx.Err() == nil {
		v.close(f)
	}
	f.checked, f.pending, f.whole = shown, pending, v.IsWhole()
	f.concerned = map[string]bool{}
	for _, r := range concerned {
		f.concerned[r.Dir] = true
	}
	return f, ctx.Err()
}

// nearestAndNew returns the first roots, and of the rest those that were never checked.
func nearestAndNew(roots []*Root) []*Root {
	near := slices.Clone(roots[:min(len(roots), maxFileRoots)])
	for _, r := range roots[len(near):] {
		if r.lastOutcome() == nil {
			near = append(near, r)
		}
	}
	return near
}

// foundBefore is a diagnostic wherever it stands by now.
type foundBefore struct{ rule, file, message string }

// mendedSince tells what an edit mended: what roots had last, and have no more. Other
// roots, which were not checked again yet, will not have it either.
type mendedSince struct{ before, now map[foundBefore]bool }

func (m *mendedSince) without(report *analysis.Report) *analysis.Report {
	if report == nil {
		return &analysis.Report{}
	}
	rest := &analysis.Report{Roots: report.Roots}
	for _, d := range report.Diagnostics {
		if key := (foundBefore{d.Rule, d.File, d.Message}); !m.before[key] || m.now[key] {
			rest.Diagnostics = append(rest.Diagnostics, d)
		}
	}
	return rest
}

// lastFound returns what was found in roots, now or when they were checked last.
func (v *View) lastFound(roots []*Root) map[foundBefore]bool {
	found := map[foundBefore]bool{}
	for _, r := range roots {
		known := r.lastOutcome()
		if known == nil {
			continue
		}
		if b := r.Current(); b != nil {
			remembered := b.remember()
			known = &remembered
		}
		for _, report := range []*analysis.Report{known.Report, known.schemas} {
			if report == nil {
				continue
			}
			for _, d := range report.Diagnostics {
				found[foundBefore{d.Rule, d.File, d.Message}] = true
			}
		}
	}
	return found
}

// ReadFiles returns the files that the builds so far looked at, in no order.
func (v *View) ReadFiles() []string {
	s := v.discovered()
	if s == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, r := range s.roots {
		if known := r.lastOutcome(); known != nil {
			for _, path := range known.Reads.Files() {
				seen[path] = true
			}
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// Progress returns how many roots there are and how many of them are built.
func (v *View) Progress() (done, total int) {
	s := v.discovered()
	if s == nil {
		return 0, 0
	}
	for _, r := range s.roots {
		if r.Current() != nil {
			done++
		}
	}
	return done, len(s.roots)
}

// concerns tells whether the root looked at one of the files when it was built
// last, or, where it was not, has one of them in its folder.
func (r *Root) concerns(files []string) bool {
	known := r.lastOutcome()
	return slices.ContainsFunc(files, func(file string) bool {
		if known != nil {
			return known.Reads.Has(file)
		}
		return filepath.Dir(file) == r.Dir
	})
}

// CheckRoots checks roots, of components those that none of the others includes, and returns
// those that it checked and what was found in them. What earlier checks found counts.
func (v *View) CheckRoots(ctx context.Context, roots []*Root) (checked []*Root, report *analysis.Report, err error) {
	var components []*Root
	for _, r := range roots {
		if r.Component {
			components = append(components, r)
		} else {
			checked = append(checked, r)
		}
	}
	if err := v.checkWhole(ctx, checked); err != nil {
		return nil, nil, err
	}
	alone := v.notIncluded(components, checked)
	if err := v.checkWhole(ctx, alone); err != nil {
		return nil, nil, err
	}
	checked = append(checked, alone...)
	return checked, v.gather(ctx, checked, false, nil).Report, ctx.Err()
}

func (v *View) CheckAll(ctx context.Context, roots []*Root) error {
	wanted := unchecked(roots)
	return parallel.Do(ctx, len(wanted), func(ctx context.Context, i int) error {
		_, err := v.Build(ctx, wanted[i])
		return err
	})
}

// checkWhole checks the roots, and holds what they render against the schemas: each
// at once, while its build is at hand.
func (v *View) checkWhole(ctx context.Context, roots []*Root) error {
	return parallel.Do(ctx, len(roots), func(ctx context.Context, i int) error {
		if roots[i].Current() != nil && !v.lackSchemas(roots[i:i+1]) {
			return nil
		}
		b, err := v.Build(ctx, roots[i])
		if err != nil {
			return err
		}
		return b.checkSchemas(ctx, v.options, v.cache)
	})
}

// lackSchemas tells whether one of the roots is to be held against schemas still.
func (v *View) lackSchemas(roots []*Root) bool {
	return v.options.Kubernetes != nil && slices.ContainsFunc(roots, func(r *Root) bool {
		b := r.Current()
		return b == nil || b.remember().schemas == nil
	})
}

func unchecked(roots []*Root) []*Root {
	var pending []*Root
	for _, r := range roots {
		if r.Current() == nil {
			pending = append(pending, r)
		}
	}
	return pending
}

// notIncluded returns the components that no root includes.
func (v *View) notIncluded(components, roots []*Root) []*Root {
	included := map[string]bool{}
	for _, r := range roots {
		for dir := range r.Current().components {
			included[dir] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(components), func(r *Root) bool { return included[v.RealPath(r.Dir)] })
}

func (v *View) RealPath(path string) string {
	if real, err := v.files.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// partialReport are those of the roots, of which some are pending; only where none is it
// is known which files nothing includes. They are of no use once the context ended.
func (v *View) partialReport(ctx context.Context, roots, pending []*Root) *PartialReport {
	f := v.gather(ctx, roots, v.isComplete(roots), nil)
	if ctx.Err() == nil {
		v.close(f)
	}
	f.checked, f.pending, f.whole = roots, pending, v.IsWhole()
	return f
}

// isComplete tells whether nothing of the roots is left to be checked.
func (v *View) isComplete(roots []*Root) bool {
	return v.IsWhole() && len(unchecked(roots)) == 0 && !v.lackSchemas(roots)
}

// outdatedReport returns what is to be said of a root that was not checked since the last
// change.
type outdatedReport func(r *Root, last *outcome, carry *carrier) *analysis.Report

// gather puts together what is known of roots. Those that were not checked since the last
// change are left out where outdated is nil. It is complete where the roots are all that
// there are, and checked.
func (v *View) gather(ctx context.Context, roots []*Root, complete bool, outdated outdatedReport) *PartialReport {
	var reports []*analysis.Report
	inclusion := &analysis.Inclusion{Strays: &v.cache.strays, Memory: &v.cache.inclusion, Layout: v.layout}
	readings := &analysis.Readings{}
	carry := newCarrier(v.files)
	whole := true
	for _, r := range roots {
		b := r.Current()
		if b == nil {
			last := r.previous()
			whole = whole && last != nil
			if outdated != nil && last != nil {
				reports = append(reports, outdated(r, last, carry))
				if last.schemas != nil {
					reports = append(reports, carry.report(last.schemas, last.schemaFiles))
				}
			}
			continue
		}
		reports = append(reports, b.Report)
		found := b.remember()
		if found.schemas == nil && v.options.Kubernetes != nil {
			if last := r.previous(); last != nil {
				found.schemas, found.schemaFiles = last.schemas, last.schemaFiles
			}
		}
		if found.schemas != nil {
			reports = append(reports, carry.report(found.schemas, found.schemaFiles))
		}
		if complete && found.commented != nil && ctx.Err() == nil {
			readings.AddPart(found.Reads, found.commented(), found.Unknown)
		}
		if b.included != nil {
			inclusion.Include(b.included)
		}
	}
	merged := analysis.Merge(reports...)
	if !whole {
		// What a root includes that was never checked may be mended there.
		merged.Diagnostics = slices.DeleteFunc(merged.Diagnostics, func(d analysis.Diagnostic) bool { return d.Mendable })
	}
	v.withDeployments(ctx, merged, complete)
	review := analysis.Review{Files: v.files, Rules: v.options.Rules, Config: v.options.Config}
	if complete {
		review.Readings, review.Inclusion = readings, inclusion
		review.Complete = func(path string) bool { return ctx.Err() == nil && v.IsInFolders(path) }
	}
	return &PartialReport{Report: review.Apply(merged), Final: complete}
}

// close remembers the diagnostics that come once everything is checked, or, before
// that, adds those of the last time: they would come and go with every edit.
func (v *View) close(f *PartialReport) {
	late := func(d analysis.Diagnostic) bool {
		return d.Rule == analysis.UnusedSuppression || d.Rule == analysis.FileNotIncluded
	}
	if f.Final {
		last := &analysis.Report{}
		for _, d := range f.Diagnostics {
			if late(d) {
				last.Diagnostics = append(last.Diagnostics, d)
			}
		}
		v.cache.closing.set(last, v.files)
		return
	}
	last, files := v.cache.closing.get()
	if last == nil || len(last.Diagnostics) == 0 {
		return
	}
	f.Diagnostics = append(f.Diagnostics, newCarrier(v.files).report(last, files).Diagnostics...)
	analysis.SortDiagnostics(f.Diagnostics)
}
