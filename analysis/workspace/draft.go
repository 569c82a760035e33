package workspace

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Draft tells of files, before the roots that read them are built, what can be said
// at once: the mistakes of their own text as it is now, and what the roots said of
// them last, moved to where it is now. It is nil where nothing is to be built. The
// error is for cancellation.
func (v *View) Draft(ctx context.Context, files []string) (*PartialReport, error) {
	byDir, err := v.RootsFor(ctx, files...)
	if err != nil {
		return nil, err
	}
	roots := SortedRoots(byDir)
	drafted := map[string]bool{}
	for _, file := range files {
		for _, r := range unchecked(roots) {
			if last := r.previous(); last != nil && last.Reads.Has(file) && last.hasOwnText(file) {
				drafted[file] = true
			}
		}
	}
	if len(drafted) == 0 {
		return nil, nil
	}
	f := v.gather(ctx, roots, false, func(r *Root, last *outcome, carry *carrier) *analysis.Report { return v.draft(r, last, carry, drafted) })
	v.close(f)
	f.drafted = drafted
	return f, nil
}

// hasOwnText tells whether anything can be said of a file alone: the input of a
// generator means nothing without its entry.
func (f *outcome) hasOwnText(file string) bool {
	return IsKustomization(file) || f.resources.has(file) || f.others[file]
}

// syntaxError is the rule of what can be said of a patch, or a configuration, alone.
const syntaxError = "syntax-error"

// draft returns what a root found last, with the mistakes that files have by
// themselves taken from their text of now.
func (v *View) draft(r *Root, last *outcome, c *carrier, files map[string]bool) *analysis.Report {
	rest := &analysis.Report{Roots: last.Report.Roots}
	outdated := map[mistake]bool{}
	for file := range files {
		if last.hasOwnText(file) {
			for _, d := range v.mistakes(r, last, last.files, file) {
				outdated[mistakeOf(d)] = true
			}
		}
	}
	for _, d := range last.Report.Diagnostics {
		if !outdated[mistakeOf(d)] {
			rest.Diagnostics = append(rest.Diagnostics, d)
		}
	}
	rest = c.report(rest, last.files)
	for file := range files {
		if last.hasOwnText(file) && last.Reads.Has(file) {
			rest.Diagnostics = append(slices.Clone(rest.Diagnostics), v.mistakes(r, last, v.files, file)...)
		}
	}
	return rest
}

// mistake tells two diagnostics of one root apart.
type mistake struct {
	rule string
	analysis.Place
}

func mistakeOf(d analysis.Diagnostic) mistake { return mistake{d.Rule, d.Place} }

// mistakes are those of a file's own text.
func (v *View) mistakes(r *Root, last *outcome, files *vfs.Snapshot, path string) []analysis.Diagnostic {
	f, err := files.ReadFile(path)
	if err != nil {
		return nil
	}
	found := analysis.OwnMistakes(v.session, f, r.Dir, v.options)
	if !IsKustomization(path) && !last.resources.has(path) {
		found = slices.DeleteFunc(found, func(d analysis.Diagnostic) bool { return d.Rule != syntaxError })
	}
	if !r.Component {
		for i := range found {
			found[i].Roots = []string{r.Dir}
		}
	}
	return found
}
