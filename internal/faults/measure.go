package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Verdict is how well a mistake was found.
type Verdict int

const (
	// Silent: nothing was said that had not been said before.
	Silent Verdict = iota
	// Elsewhere: something was said, at another place or at none.
	Elsewhere
	// Related: the line is named as one that has to do with it.
	Related
	// AtLine: something was said at the very line.
	AtLine
)

// Result is what both sides made of one mistake.
type Result struct {
	Kind, Root, File string
	// Line is the 1-based line of the mistake.
	Line int
	// Text is that line.
	Text           string
	Kls, Kustomize Verdict
	// Said is what kls said anew, or kustomize, where kls said nothing.
	Said string
}

// String shows a mistake and what was said of it, to who has to mend kls.
func (r Result) String() string {
	return fmt.Sprintf("%s\n  %s:%d: %s\n  said: %s", r.Kind, r.File, r.Line, strings.TrimSpace(r.Text), r.Said)
}

// bench is a tree and how it is without a mistake.
type bench struct {
	*Tree
	session *build.Session
	memory  filesys.FileSystem
}

// Measure makes mistakes in the roots of a tree, of each kind at most as many as the limit says, spread over the roots.
func (t *Tree) Measure(ctx context.Context, limit int) ([]Result, error) {
	b := &bench{Tree: t, session: build.NewSession(vfs.NewSnapshot(vfs.Memory(t.Files))), memory: filesys.MakeFsInMemory()}
	for path, data := range t.Files {
		_ = b.memory.WriteFile(path, data) // a name that it refuses is in no kustomization's way
	}
	subjects, before, err := b.subjects(ctx)
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, k := range kinds() {
		for _, f := range spread(b.faults(k, subjects), limit) {
			r, err := b.measure(ctx, f, before[f.root])
			if err != nil {
				return nil, err
			}
			results = append(results, r)
		}
	}
	return results, nil
}

// subjects returns the roots that build, and what kls says of each as it is.
func (b *bench) subjects(ctx context.Context) ([]subject, map[string]*analysis.Report, error) {
	targets, err := analysis.Discover(ctx, b.session.Files(), b.Dir)
	if err != nil {
		return nil, nil, err
	}
	before := map[string]*analysis.Report{}
	var subjects []subject
	for _, target := range targets {
		s, ok := b.subject(target.Dir)
		if target.Component || !ok {
			continue
		}
		report, err := b.check(ctx, b.session, target.Dir)
		if err != nil {
			return nil, nil, err
		}
		if len(report.Roots) == 1 && report.Roots[0].Verdict == analysis.Builds && !report.Roots[0].Beyond {
			before[target.Dir] = report
			subjects = append(subjects, s)
		}
	}
	return subjects, before, nil
}

func (b *bench) check(ctx context.Context, session *build.Session, dir string) (*analysis.Report, error) {
	return analysis.CheckRoot(ctx, session, analysis.Target{Dir: dir}, analysis.Options{Rules: rules.All()})
}

// fault is a mistake that is going to be made.
type fault struct {
	kind, root, path string
	change
}

func (b *bench) faults(k kind, subjects []subject) []fault {
	var all []fault
	seen := map[string]bool{}
	for _, s := range subjects {
		for _, place := range k.spots(s) {
			c, ok := k.make(place)
			id := fmt.Sprint(place.path, ":", c.line, ":", len(c.text))
			if !ok || seen[id] {
				continue
			}
			seen[id] = true
			all = append(all, fault{k.name, s.root, place.path, c})
		}
	}
	return all
}

// spread picks as many elements as the limit says, evenly.
func spread[E any](all []E, limit int) []E {
	if len(all) <= limit {
		return all
	}
	picked := make([]E, limit)
	for i := range picked {
		picked[i] = all[i*len(all)/limit]
	}
	return picked
}

func (b *bench) measure(ctx context.Context, f fault, before *analysis.Report) (Result, error) {
	lines := strings.Split(string(f.text), "\n")
	r := Result{Kind: f.kind, Root: f.root, File: f.path, Line: f.line, Text: lines[f.line-1]}
	session := b.session.Derive(b.session.Files().With(f.path, f.text))
	after, err := b.check(ctx, session, f.root)
	if err != nil {
		return r, err
	}
	known := map[string]bool{}
	for _, d := range before.Diagnostics {
		known[identity(d)] = true
	}
	for _, d := range after.Diagnostics {
		if known[identity(d)] {
			continue
		}
		r.Said += fmt.Sprintf("%s %s %s; ", d.Rule, filepath.Base(d.File), d.Message)
		r.Kls = max(r.Kls, b.placed(session, d, f))
	}
	r.Kustomize, err = b.askKustomize(f, &r)
	return r, err
}

// identity is what a diagnostic keeps when lines move.
func identity(d analysis.Diagnostic) string {
	return strings.Join([]string{d.Rule, d.File, d.Message}, "\x00")
}

func (b *bench) placed(session *build.Session, d analysis.Diagnostic, f fault) Verdict {
	at := func(p analysis.Place) bool {
		file, err := session.Files().ReadFile(p.File)
		if p.File != f.path || err != nil {
			return false
		}
		line, _ := text.NewLines(file.Data).OffsetToLineColumn(p.Span.Start)
		return line == f.line
	}
	if at(d.Place) {
		return AtLine
	}
	for _, related := range d.Related {
		if at(related.Place) {
			return Related
		}
	}
	return Elsewhere
}

var lineNumber = regexp.MustCompile(`\bline (\d+)`)

// askKustomize builds the root with the mistake in it.
func (b *bench) askKustomize(f fault, r *Result) (Verdict, error) {
	if err := b.memory.WriteFile(f.path, f.text); err != nil {
		return Silent, err
	}
	refusal := b.kustomize(f.root)
	if err := b.memory.WriteFile(f.path, b.Files[f.path]); err != nil {
		return Silent, err
	}
	if refusal == "" {
		return Silent, nil
	}
	if r.Said == "" {
		r.Said = "kustomize: " + refusal
	}
	for _, number := range lineNumber.FindAllStringSubmatch(refusal, -1) {
		if number[1] == strconv.Itoa(f.line) && strings.Contains(refusal, filepath.Base(f.path)) {
			return AtLine, nil
		}
	}
	return Elsewhere, nil
}

// kustomize returns what `kustomize build` says in refusal; empty where it builds.
func (b *bench) kustomize(dir string) (refusal string) {
	defer func() {
		if panicked := recover(); panicked != nil {
			refusal = fmt.Sprint(panicked)
		}
	}()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified
	resources, err := krusty.MakeKustomizer(options).Run(b.memory, dir)
	if err == nil {
		_, err = resources.AsYaml()
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
