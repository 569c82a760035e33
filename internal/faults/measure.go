package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"

	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/schema"
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

// maxReaders is the number of roots that are built with one mistake, at most.
const maxReaders = 6

// bench is a tree and how it is without a mistake.
type bench struct {
	*Tree
	session *builder.Session
	memory  filesys.FileSystem
	// kubernetes are the schemas of the newest version.
	kubernetes *schema.Kubernetes
	roots      []root
	byDir      map[string]*root
}

// root is a root that builds, as it is.
type root struct {
	subject
	reads    *vfs.Reads
	report   *analysis.Report
	rendered string // by kustomize; made when it is asked for
	// names are what its resources are called originally, and the keys of its config maps and secrets.
	names map[string]bool
}

// Measure makes mistakes in the roots of a tree, of each kind at most as many as the limit says, spread over the roots.
func (t *Tree) Measure(ctx context.Context, limit int) ([]Result, error) {
	b := &bench{Tree: t, session: builder.NewSession(vfs.NewSnapshot(vfs.Memory(t.Files))), memory: filesys.MakeFsInMemory()}
	for path, data := range t.Files {
		_ = b.memory.WriteFile(path, data) // a name that it refuses is in no kustomization's way
	}
	var err error
	if b.kubernetes, err = schema.New(""); err != nil {
		return nil, err
	}
	if err := b.findRoots(ctx); err != nil {
		return nil, err
	}
	var results []Result
	for _, k := range kinds() {
		made := 0
		for _, f := range b.shuffled(b.faults(k)) {
			if made == limit {
				break
			}
			r, effective, err := b.measure(ctx, f)
			if err != nil {
				return nil, err
			}
			if effective {
				made++
				results = append(results, r)
			}
		}
	}
	return results, nil
}

// findRoots finds the roots that build, and what kls says of each as it is.
func (b *bench) findRoots(ctx context.Context) error {
	targets, err := analysis.Discover(ctx, b.session.Files(), b.Dir)
	if err != nil {
		return err
	}
	for _, target := range targets {
		s, ok := b.subject(target.Dir)
		if target.Component || !ok {
			continue
		}
		var built *builder.Result
		report, err := b.check(ctx, b.session, target.Dir, func(_ string, r *builder.Result) { built = r })
		if err != nil {
			return err
		}
		if len(report.Roots) == 1 && report.Roots[0].Verdict == analysis.Builds && !report.Roots[0].Beyond {
			b.roots = append(b.roots, root{subject: s, reads: built.Reads, report: report, names: namesOf(built)})
		}
	}
	b.byDir = map[string]*root{}
	for i := range b.roots {
		b.byDir[b.roots[i].dir] = &b.roots[i]
	}
	return nil
}

func namesOf(built *builder.Result) map[string]bool {
	names := map[string]bool{}
	for _, r := range built.Resources {
		names[r.OriginalID().Name] = true
		for _, field := range []string{"data", "stringData"} {
			if _, data := syntax.Field(r.Node, field); r.ID().Group == "" && data != nil && data.Kind == yaml.MappingNode {
				for i := 0; i < len(data.Content); i += 2 {
					names[data.Content[i].Value] = true
				}
			}
		}
		rendered := document{root: r.Node}
		for _, path := range []string{"spec/template/metadata/labels/*", "spec/template/spec/containers/*/ports/*/name", "spec/ports/*/port"} {
			for _, place := range rendered.find(path) {
				names[place.value.Value] = true
			}
		}
	}
	return names
}

// readers returns the root in which a mistake is made and others that read the
// file: a person checks the whole tree.
func (b *bench) readers(f fault) []*root {
	readers := []*root{b.byDir[f.root]}
	for i := range b.roots {
		r := &b.roots[i]
		if len(readers) < maxReaders && r.dir != f.root && r.reads.Has(f.path) {
			readers = append(readers, r)
		}
	}
	return readers
}

func (b *bench) check(ctx context.Context, session *builder.Session, dir string, built func(string, *builder.Result)) (*analysis.Report, error) {
	return analysis.CheckRoot(ctx, session, analysis.Target{Dir: dir}, analysis.Options{Rules: rules.All(), Built: built,
		Kubernetes: func(string) *schema.Kubernetes { return b.kubernetes }})
}

// fault is a mistake that is going to be made.
type fault struct {
	kind, root, path string
	change
}

func (b *bench) faults(k kind) []fault {
	var all []fault
	seen := map[string]bool{}
	for _, r := range b.roots {
		for _, place := range k.spots(r.subject) {
			if k.refers && !b.isNamed(r, place) {
				continue
			}
			c, ok := k.make(place)
			id := fmt.Sprint(place.path, ":", c.line, ":", len(c.text))
			if !ok || seen[id] {
				continue
			}
			seen[id] = true
			all = append(all, fault{k.name, r.dir, place.path, c})
		}
	}
	return all
}

// isNamed tells whether what a value names is in a build that reads the file: of
// the name of something that is made elsewhere nobody can say that it is wrong.
func (b *bench) isNamed(r root, s spot) bool {
	for _, reader := range b.readers(fault{root: r.dir, path: s.path}) {
		if reader.names[s.value.Value] {
			return true
		}
	}
	return false
}

// shuffled mixes mistakes, always in the same way, so that the first of them are
// from many roots.
func (b *bench) shuffled(all []fault) []fault {
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// measure makes a mistake. It is not effective where kustomize renders the same
// bytes all the same, such as one in a patch that applies to nothing.
func (b *bench) measure(ctx context.Context, f fault) (r Result, effective bool, err error) {
	lines := strings.Split(string(f.text), "\n")
	r = Result{Kind: f.kind, Root: f.root, File: f.path, Line: f.line, Text: lines[f.line-1]}
	session := b.session.Derive(b.session.Files().With(f.path, f.text))
	for _, reader := range b.readers(f) {
		if effective, err = b.askKustomize(f, reader, &r, effective); err != nil {
			return r, false, err
		}
		after, err := b.check(ctx, session, reader.dir, nil)
		if err != nil {
			return r, false, err
		}
		b.judge(session, f, reader.report, after, &r)
	}
	return r, effective, nil
}

// judge looks at what kls says that it did not say before.
func (b *bench) judge(session *builder.Session, f fault, before, after *analysis.Report, r *Result) {
	known := map[string]bool{}
	for _, d := range before.Diagnostics {
		known[identity(d)] = true
	}
	for _, d := range after.Diagnostics {
		if !known[identity(d)] {
			r.Said += fmt.Sprintf("%s %s %s; ", d.Rule, filepath.Base(d.File), d.Message)
			r.Kls = max(r.Kls, b.placed(session, d, f))
		}
	}
}

// identity is what a diagnostic keeps when lines move.
func identity(d analysis.Diagnostic) string {
	return strings.Join([]string{d.Rule, d.File, d.Message}, "\x00")
}

func (b *bench) placed(session *builder.Session, d analysis.Diagnostic, f fault) Verdict {
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

// askKustomize builds a root with the mistake in it. It tells whether that made a
// difference in this root or an earlier one.
func (b *bench) askKustomize(f fault, reader *root, r *Result, effective bool) (bool, error) {
	if reader.rendered == "" {
		reader.rendered, _ = b.kustomize(reader.dir)
	}
	if err := b.memory.WriteFile(f.path, f.text); err != nil {
		return false, err
	}
	rendered, refusal := b.kustomize(reader.dir)
	if err := b.memory.WriteFile(f.path, b.Files[f.path]); err != nil {
		return false, err
	}
	if refusal == "" {
		return effective || rendered != reader.rendered, nil
	}
	r.Kustomize = max(r.Kustomize, Elsewhere)
	for _, number := range lineNumber.FindAllStringSubmatch(refusal, -1) {
		if number[1] == strconv.Itoa(f.line) && strings.Contains(refusal, filepath.Base(f.path)) {
			r.Kustomize = AtLine
		}
	}
	return true, nil
}

// kustomize returns what `kustomize build` prints, or what it says in refusal.
func (b *bench) kustomize(dir string) (rendered, refusal string) {
	defer func() {
		if panicked := recover(); panicked != nil {
			refusal = fmt.Sprint(panicked)
		}
	}()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified
	resources, err := krusty.MakeKustomizer(options).Run(b.memory, dir)
	if err != nil {
		return "", err.Error()
	}
	printed, err := resources.AsYaml()
	if err != nil {
		return "", err.Error()
	}
	return string(printed), ""
}
