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

	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/transform"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Options are what a build depends on besides the files. The zero value builds
// as kustomize does without flags.
type Options struct {
	// LoadRestrictor is RootOnly (also when empty), NoRestrictions or
	// NoRestrictionsRefused.
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
	// Within is the folder, without symbolic links, outside of which nothing is there;
	// empty: everything is.
	Within string
	// Overlay changes the kustomization that is built; nil: nothing does.
	Overlay *load.Overlay
	// Outside gives remote files, charts and functions; nil: none of them.
	Outside load.Outside
	// Limits bound what the build may use.
	Limits load.Limits
	Instruments
}

// Instruments look into a build, or make a part of it only.
type Instruments struct {
	// Incoming leaves out what the kustomization that is built does to its
	// resources itself: the result is what its resources, generators and components
	// bring in.
	Incoming bool
	// Recorder, where it is not nil, is told of every change of a resource.
	Recorder trace.Recorder
	// Observer, where it is not nil, is shown what is loaded at the moments of each
	// layer.
	Observer func(transform.Moment, *transform.Loaded)
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

// Result is what a build made and met.
type Result struct {
	Resources []*resource.Resource
	Problems  []problem.Problem
	// Root is the layer of the kustomization that was built; nil where there is none.
	Root *trace.Layer
	// Reads is what the build looked at: a change elsewhere gives the same result.
	Reads *vfs.Reads
	// Unknown is true where something that is switched off (network, helm,
	// functions) could have supplied more resources.
	Unknown bool
	// Unfinished is true where a patch or a part of a generated resource had to be
	// left out: what the resources hold is then not all that they would.
	Unfinished bool

	index *memo.NameIndex        // nil for none
	names func() map[string]bool // where there is no index, nil where there is nothing

	checkers *sync.Pool // of render.Checker, nil where there is nothing
}

// IsNamed tells whether a resource has the name, or had it before it was renamed.
func (r *Result) IsNamed(name string) bool {
	if r.index != nil {
		return r.index.Current[name] != nil || r.index.Before[name] != nil
	}
	return r.names != nil && r.names()[name]
}

// Originals returns the kind and name that each resource had at first, in no order. The
// slice must not be changed.
func (r *Result) Originals() [][2]string {
	if r.index != nil {
		return r.index.Originals()
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
	return slices.ContainsFunc(r.Problems, func(p problem.Problem) bool { return p.Fatal })
}

// YAML returns the rendered resources as kustomize build prints them.
func (r *Result) YAML(ctx context.Context) ([]byte, error) {
	nodes := make([]*yaml.Node, len(r.Resources))
	for i, x := range r.Resources {
		nodes[i] = x.Node
	}
	return render.Resources(ctx, nodes)
}

// Build renders the kustomization in the folder dir, an absolute path, or in the
// git repository that dir names.
func (s *Session) Build(ctx context.Context, dir string, options Options) (*Result, error) {
	reads := vfs.NewReads()
	b := newBuilder(ctx, s, reads, options)
	if options.Limits.Nodes > 0 {
		b.Sources.Table().LimitValues(options.Limits.Nodes)
	}
	if limit := b.Budget.Time(); limit > 0 {
		timed, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		b.Ctx = timed
	}
	root := b.OpenRoot(dir)
	if root == nil {
		return &Result{Problems: b.Problems, Reads: reads, Unknown: b.Lacking, Unfinished: true}, nil
	}
	if s.memo != nil {
		defer s.memo.GiveUp(&b.turn) // what a panic leaves behind
	}
	b.StartOrigins(root)
	b.SetSchema(root)
	acc := b.accumulated(root, options.Incomplete)
	b.finish(root, acc)
	if b.finished != nil {
		b.finished()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if b.Stopped() {
		b.Problems = nil // they may be those of half a build
		b.Report(root, b.OutOfTime())
		return &Result{Problems: b.Problems, Root: root, Reads: reads, Unknown: true, Unfinished: true}, nil
	}
	resources := acc.Set.List()
	if s.memo != nil && options.Analyze {
		for _, r := range resources {
			r.ReuseParts()
		}
	}
	return &Result{Resources: resources, Problems: b.Problems, Root: root, Reads: reads, Unknown: b.Lacking, Unfinished: b.Unfinished,
		index: b.Names, names: parallel.OnceValue(func() map[string]bool { return namesOf(resources) }), checkers: &s.Cache.Checkers}, nil
}

// builder is the state of one build.
type builder struct {
	transform.Transformer
	session *Session
	options Options
	// finished puts back what is remembered of the root's steps; nil for nothing.
	finished func()
	// turn is this build's in the queue for what other builds make.
	turn memo.Turn
}

func newBuilder(ctx context.Context, s *Session, reads *vfs.Reads, o Options) *builder {
	b := &builder{session: s, options: o}
	b.Loader = load.Loader{Ctx: ctx, Sources: s.Sources, Files: vfs.Record(s.Files(), reads), Schema: load.NewSchemaState(), Budget: load.NewBudget(o.Limits),
		Options: load.Options{LoadRestrictor: o.LoadRestrictor, Reorder: o.Reorder, AddManagedByLabel: o.AddManagedByLabel,
			Analyze: o.Analyze, Outside: o.Outside, Within: o.Within, Overlay: o.Overlay, Recorder: o.Recorder}}
	return b
}
