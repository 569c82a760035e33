package analysis

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// The parts of a check, for those who cannot wait for the whole.

// OwnMistakes returns what is wrong with a kustomization file, or a file of resources, by
// itself: a part of what a check of each root that reads it reports.
func OwnMistakes(session *builder.Session, f *vfs.File, dir string, options Options) []Diagnostic {
	c := newChecker(session, options)
	var found []Diagnostic
	for _, p := range session.FileProblems(f) {
		found = append(found, c.diagnostic(p, dir))
	}
	return found
}

// CheckSchemas holds the resources of a build that is done against the schemas. It
// reports what CheckRoot leaves out where Options.Kubernetes is nil. The error is for
// cancellation.
func CheckSchemas(ctx context.Context, session *builder.Session, target Target, result *builder.Result, options Options) (report *Report, err error) {
	options.Rules = slices.DeleteFunc(slices.Clone(options.Rules), func(r *Rule) bool { return r.Class != Schema })
	c := newChecker(session, options)
	defer func() {
		if panicked := recover(); panicked != nil {
			root := c.brokenDown(target, fmt.Sprint(panicked), debug.Stack())
			report, err = newReport([]checkedRoot{root}, nil, nil), nil
		}
	}()
	root := c.judge(target, result, c.runRules(ctx, target.Dir, result), target.Component)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	merged := merger{}
	merged.add(root.diagnostics)
	return &Report{Diagnostics: merged.sorted()}, nil
}

// Commented returns which of the files that a build looked at may have comments
// that suppress something. Parts of what it looked at are taken over by other builds
// only as long as no file of them changes, so that each is looked through once.
func Commented(files *vfs.Snapshot, reads *vfs.Reads) []string {
	var all []string
	type withComments struct{}
	reads.EachPart(func(part *vfs.Reads) {
		all = append(all, part.Note(withComments{}, func(paths map[string]bool) any {
			var commented []string
			for path := range paths {
				if isDir, err := files.IsDir(path); err != nil || isDir {
					continue
				}
				if f, err := files.ReadFile(path); err == nil && bytes.Contains(f.Data, suppressionMark) {
					commented = append(commented, path)
				}
			}
			return commented
		}).([]string)...)
	})
	return all
}

// Diagnose returns the diagnostics of problems that were found in another way than by
// checking a root; dir is a folder that stands for those without a place.
func Diagnose(session *builder.Session, problems []builder.Problem, dir string, options Options) []Diagnostic {
	c := newChecker(session, options)
	merged := merger{}
	for _, p := range problems {
		merged.add([]Diagnostic{c.diagnostic(p, dir)})
	}
	return merged.sorted()
}
