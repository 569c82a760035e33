// Package builder renders a kustomization and records what it decided. It is the
// one implementation of kustomize's semantics: everything else in kls is a view
// of what is found here. It goes on after a mistake, so that one build reports
// them all. It knows neither rules nor editors, uses no network and starts no
// process.
package builder

import (
	"context"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Values of Options.LoadRestrictor and Options.Reorder, as kustomize build
// spells them.
const (
	RootOnly        = "LoadRestrictionsRootOnly"
	NoRestrictions  = "LoadRestrictionsNone"
	ReorderNone     = "none"
	ReorderLegacy   = "legacy"
	ReorderUnstated = "unspecified"
)

// Options are what a build depends on besides the files. The zero value builds
// as kustomize does without flags.
type Options struct {
	// LoadRestrictor is RootOnly (also when empty) or NoRestrictions.
	LoadRestrictor string
	// Reorder is ReorderUnstated (also when empty), ReorderNone or ReorderLegacy.
	Reorder string
	// AddManagedByLabel adds app.kubernetes.io/managed-by to every resource.
	AddManagedByLabel bool
	// Analyze records what only diagnostics need; a plain build leaves it out.
	Analyze bool
	// Incomplete says that the build is part of an unknown larger one, as that of
	// a component is: what is missing here may be there.
	Incomplete bool
	// Incoming leaves out what the kustomization that is built does to its
	// resources itself: the result is what its resources, generators and components
	// bring in.
	Incoming bool
	// Outside gives remote files, charts and functions; nil: none of them.
	Outside Outside
	// Recorder, where it is not nil, is told of every change of a resource.
	Recorder Recorder
	// Observer, where it is not nil, is shown what is loaded at the moments of each
	// layer.
	Observer func(Moment, *Loaded)
	// Observed is the file that an observer or recorder wants to know of: of layers
	// that neither read it nor have one below them that does they may not be told,
	// since what these came to is taken from an earlier build. A recorder is told of
	// all layers where it is empty.
	Observed string
	// Keep, where it is not nil, tells which of the resources that the kustomization
	// Observed has loaded go through its transformers; the others are left out from
	// then on. It is for a recorder that looks at some: the result is not that of the
	// whole build.
	Keep func(*resource.Resource) bool
}

// Recorder is told of the steps of a build.
type Recorder interface {
	// Before is called before the step changes the resource; the function that
	// it returns, if any, is called after.
	Before(step Step, r *resource.Resource) (after func())
}

// Successor is a Recorder that is also told when, within a step, a resource takes
// the place of another and goes through the following steps in its stead.
type Successor interface {
	Succeeds(old, r *resource.Resource)
}

// Step is one application of one entry of a kustomization to resources.
type Step struct {
	Layer *Layer
	// Transformer is kustomize's name: PatchTransformer, ReplacementTransformer…
	Transformer string
	// Entry is the node that configures the step: the list entry or the field.
	Entry *yaml.Node
}

// Session builds from one snapshot. What it parsed it keeps for the next build, and
// what included layers came to, if it is told to. It is safe for concurrent use.
type Session struct {
	files *vfs.Snapshot
	table *syntax.Table
	cache *parsed
	// memo is nil where nothing is remembered; moment is when, by its count of
	// changes, the snapshot was taken.
	memo   *memo
	moment int
}

// NewSession returns a session over the snapshot.
func NewSession(files *vfs.Snapshot) *Session {
	return &Session{files: files, table: syntax.NewTable(), cache: &parsed{}}
}

// Remember makes the session, and those that are derived from it, keep what included
// layers came to, so that a base of many builds is built once. limit is about how
// many resources are kept. It must be called before the first build.
func (s *Session) Remember(limit int) *Session {
	s.memo = newMemo(limit)
	s.table = s.table.At(s.memo, s.moment)
	return s
}

// Derive returns a session over another snapshot of the same files. The two share
// what was parsed, and the table, which grows with every version of a file: after
// many a fresh session saves memory. Where it is told of all paths at which the
// snapshots differ, what was built is shared as well, as far as no change touches it.
func (s *Session) Derive(files *vfs.Snapshot, changed ...string) *Session {
	next := &Session{files: files, table: s.table, cache: s.cache}
	if s.memo == nil {
		return next
	}
	if files == s.files {
		next.memo, next.moment = s.memo, s.moment
		return next
	}
	if len(changed) > 0 {
		if moment, ok := s.memo.advance(s.moment, changed); ok {
			next.memo, next.moment = s.memo, moment
			next.table = s.table.At(s.memo, moment)
			return next
		}
	}
	return next.Remember(s.memo.limit)
}

// Table tells of the texts that the nodes of this session's results were read from.
func (s *Session) Table() *syntax.Table { return s.table }

// Weight returns how many bytes of text this session and those that it shares the
// table with have registered: it grows with every version of a file.
func (s *Session) Weight() int64 { return s.cache.weight.Load() }

// Files returns the snapshot.
func (s *Session) Files() *vfs.Snapshot { return s.files }

// Result is what a build made and met.
type Result struct {
	Resources []*resource.Resource
	Problems  []Problem
	// Root is the layer of the kustomization that was built; nil where there is none.
	Root *Layer
	// Reads is what the build looked at: a change elsewhere gives the same result.
	Reads *vfs.Reads
	// Unknown is true where something that is switched off (network, helm,
	// functions) could have supplied more resources.
	Unknown bool
	// Unfinished is true where a patch or a part of a generated resource had to be
	// left out: what the resources hold is then not all that they would.
	Unfinished bool

	index *nameIndex             // nil for none
	names func() map[string]bool // where there is no index, nil where there is nothing

	checkers *sync.Pool // of render.Checker, nil where there is nothing
}

// IsNamed tells whether a resource has the name, or had it before it was renamed.
func (r *Result) IsNamed(name string) bool {
	if r.index != nil {
		return r.index.current[name] != nil || r.index.before[name] != nil
	}
	return r.names != nil && r.names()[name]
}

// Originals returns the kind and name that each resource had at first, in no order. The
// slice must not be changed.
func (r *Result) Originals() [][2]string {
	if r.index != nil {
		return r.index.originals()
	}
	originals := make([][2]string, len(r.Resources))
	for i, x := range r.Resources {
		id := x.OriginalID()
		originals[i] = [2]string{id.Kind, id.Name}
	}
	return originals
}

// namesOf returns the names that resources have and had.
func namesOf(list []*resource.Resource) map[string]bool {
	names := make(map[string]bool, len(list))
	for _, r := range list {
		names[r.ID().Name] = true
		for _, p := range r.Previous {
			names[p.Name] = true
		}
	}
	return names
}

// Failed tells whether kustomize would refuse to build.
func (r *Result) Failed() bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Fatal })
}

// YAML returns the rendered resources as kustomize build prints them.
func (r *Result) YAML(ctx context.Context) ([]byte, error) {
	nodes := make([]*yaml.Node, len(r.Resources))
	for i, x := range r.Resources {
		nodes[i] = x.Node
	}
	return render.Resources(ctx, nodes)
}

// Build renders the kustomization in a folder of a snapshot. The error is for
// cancellation and our own mistakes; the user's are in Result.Problems.
func Build(ctx context.Context, files *vfs.Snapshot, dir string, options Options) (*Result, error) {
	return NewSession(files).Build(ctx, dir, options)
}

// Build renders the kustomization in the folder dir, an absolute path, or in the
// git repository that dir names.
func (s *Session) Build(ctx context.Context, dir string, options Options) (*Result, error) {
	reads := vfs.NewReads()
	b := &builder{ctx: ctx, session: s, files: vfs.Record(s.files, reads), options: options,
		schema: newSchemaState()}
	root := b.openRoot(dir)
	if root == nil {
		return &Result{Problems: b.problems, Reads: reads, Unknown: b.lacking, Unfinished: true}, nil
	}
	b.startOrigins(root)
	b.setSchema(root)
	acc := b.accumulated(root, options.Incomplete)
	b.finish(root, acc)
	if b.finished != nil {
		b.finished()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	resources := acc.set.List()
	return &Result{Resources: resources, Problems: b.problems, Root: root, Reads: reads, Unknown: b.lacking, Unfinished: b.unfinished,
		index: b.names, names: sync.OnceValue(func() map[string]bool { return namesOf(resources) }), checkers: &s.cache.checkers}, nil
}

// builder is the state of one build.
type builder struct {
	ctx      context.Context
	session  *Session
	files    vfs.Recording
	options  Options
	problems []Problem
	effects  patchEffects
	// steps are those of the layer that is built, nil where none are remembered.
	steps *layerSteps
	// finals are those of the layer that is the build's root, which has them until
	// finished is called; both may be nil.
	finals   *layerSteps
	finished func()
	// names is the index of all names in the result, nil where there is none.
	names *nameIndex
	// state is that of the layer that is built apart from the rest, and before is
	// what was left behind before that began.
	state
	before state
	// waiting is what another build makes and this one waits for; the memo's mutex
	// guards it.
	waiting *remembered
	schema  schemaState
	paths   map[string]fieldpath.Path
}

func (b *builder) report(l *Layer, p Problem) {
	p.Layer = l
	if p.Node == nil && p.File == 0 && l != nil {
		p.File = l.File
	}
	// A later step may write another value and place into a scalar.
	p.Node = asItIs(p.Node)
	p.Related = slices.Clone(p.Related) // those of a file's problems belong to all builds
	for i := range p.Related {
		p.Related[i].Node = asItIs(p.Related[i].Node)
	}
	b.problems = append(b.problems, p)
}

// asItIs returns a scalar as it is now, and any other node itself.
func asItIs(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.ScalarNode {
		return n
	}
	now := *n
	return &now
}

// record tells the recorder, if there is one, of a change that is about to happen.
func (b *builder) record(step Step, r *resource.Resource) (after func()) {
	after = nothing
	if b.options.Recorder != nil {
		if f := b.options.Recorder.Before(step, r); f != nil {
			after = f
		}
	}
	if !b.options.Analyze {
		return after
	}
	recorded, watched := after, b.watch(step, r)
	return func() {
		recorded()
		watched()
	}
}

func nothing() {}

// change is the one way in which a step changes a resource: it is recorded, and the set
// finds the resource under what identifies it afterwards.
func (b *builder) change(step Step, r *resource.Resource, change func(*resource.Edit)) {
	after := b.record(step, r)
	r.Change(change)
	after()
}

// succeed puts a resource in the place of another.
func (b *builder) succeed(acc *accumulator, old, r *resource.Resource) {
	acc.set.Replace(old, r)
	if s, ok := b.options.Recorder.(Successor); ok {
		s.Succeeds(old, r)
	}
}

// stopped tells whether the build was given up: what it has made so far is thrown
// away, so the steps may end anywhere.
func (b *builder) stopped() bool { return b.ctx.Err() != nil }
