package cursor

import (
	"bytes"
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Change is what an entry did to one resource.
type Change struct {
	ID            string
	Before, After []byte // as kustomize prints the resource, see readable
	Decoded       bool
}

// Replay builds the root again and watches what the entry does. before is called
// with each resource in the state that the entry meets, after once it is done, with
// what has taken its place by then; when that returns false, enough was seen and the
// build ends.
func Replay(ctx context.Context, u *workspace.Scope, e *Entry, before func(*resource.Resource), after func(*resource.Resource) bool) error {
	return ReplayOn(ctx, u, e, nil, before, after)
}

// ReplayOn is replay where the entry's layer works on some resources only: those to be
// kept; nil for all.
func ReplayOn(ctx context.Context, u *workspace.Scope, e *Entry, keep func(*resource.Resource) bool, before func(*resource.Resource), after func(*resource.Resource) bool) error {
	building, stop := context.WithCancel(ctx)
	defer stop()
	options := u.View.Options().Of(u.Build.Root.Dir)
	options.Observed = e.Layer.Path // what is below is as it was
	options.Recorder = &watcher{entry: e, before: before, after: after, stop: stop}
	options.Keep = keep
	if e.Transformer == varTransformer {
		options.Observed = u.Result.Root.Path // which replaces them all
	}
	_, err := u.Build.Session().Build(building, u.Build.Root.Dir, options)
	if building.Err() != nil {
		return ctx.Err()
	}
	return err
}

type watcher struct {
	entry  *Entry
	before func(*resource.Resource)
	after  func(*resource.Resource) (goOn bool)
	stop   func()
	// begun is true once the entry came to a resource.
	begun bool
	// successors are what took the place of resources.
	successors map[*resource.Resource]*resource.Resource
}

// Before implements builder.Recorder.
func (w *watcher) Before(step builder.Step, r *resource.Resource) func() {
	if !w.entry.matches(step) {
		if w.begun && step.Transformer != varTransformer {
			w.stop() // the steps of an entry follow each other
		}
		return nil
	}
	w.begun = true
	if w.entry.concerns != nil && !w.entry.concerns(r) {
		return nil
	}
	w.before(r)
	if w.after == nil {
		return nil
	}
	return func() {
		now := r
		if successor := w.successors[r]; successor != nil {
			now = successor
		}
		if !w.after(now) {
			w.stop()
		}
	}
}

// Succeeds implements builder.Successor.
func (w *watcher) Succeeds(old, r *resource.Resource) {
	if w.successors == nil {
		w.successors = map[*resource.Resource]*resource.Resource{}
	}
	w.successors[old] = r
}

// matches tells whether a step is one of the entry.
func (e *Entry) matches(step builder.Step) bool {
	if e.Transformer != "" && step.Transformer != e.Transformer {
		return false
	}
	if step.Entry == nil {
		return e.Transformer != "" // of all entries of the field
	}
	return workspace.SameNode(step.Entry, e.Node) && step.Layer.Path == e.Layer.Path
}

// Effect is what an entry did.
type Effect struct {
	// Changes are the first that differ. applied is true where it was applied to any
	// resource.
	Changes []Change
	Applied bool
	// Changed counts the resources that a wide entry changed.
	Changed int
}

// watched is a resource that an entry comes to, perhaps several times.
type watched struct{ Change }

// EffectOf returns what the entry does, with up to a number of changes. It looks at
// some of the resources that it comes to; at all of them only where those do not
// change.
func EffectOf(ctx context.Context, u *workspace.Scope, e *Entry, limit int) (Effect, error) {
	targets := len(e.Targets())
	if targets == 0 && !e.IsWide {
		return Effect{}, nil
	}
	found, err := watch(ctx, u, e, limit, Sample(u, e))
	if err == nil && len(found.Changes) == 0 && (targets > maxSample || e.changed() > 0 || !found.Applied) {
		found, err = watch(ctx, u, e, limit, nil)
	}
	if e.IsWide && e.Transformer != varTransformer {
		found.Changed = e.changed()
	}
	return found, err
}

// maxSample is how many resources of an entry are looked at.
const maxSample = 24

// Sample tells which resources are looked at: some that the entry comes to, and those
// that values are read from.
func Sample(u *workspace.Scope, e *Entry) func(*resource.Resource) bool {
	kept := Origins{}
	for _, l := range workspace.Layers(u.Result) {
		for _, f := range l.Facts.Vars {
			kept.Add(f.Source)
		}
	}
	if e.IsWide {
		count := 0
		return func(r *resource.Resource) bool {
			if e.concerns != nil {
				return e.concerns(r) || kept.Have(r)
			}
			count++
			return count <= maxSample
		}
	}
	if e.Fact != nil {
		kept.Add(e.Fact.Source)
	}
	targets := e.Targets()
	for _, r := range targets[:min(len(targets), maxSample)] {
		kept.Add(r)
	}
	return kept.Have
}

// Origins are where resources were read, by which they are the same in two builds. Of
// one that was deleted only the entry is known, and all that it brought in are meant.
type Origins map[origin]bool

type origin struct {
	line, column int
	isEntry      bool
}

func (o Origins) Add(r *resource.Resource) {
	switch {
	case r == nil:
	case r.Node != nil && r.Node.Line != 0:
		o[origin{r.Node.Line, r.Node.Column, false}] = true
	case r.Entry != nil:
		o[origin{r.Entry.Line, r.Entry.Column, true}] = true
	}
}

func (o Origins) Have(r *resource.Resource) bool {
	return r.Node != nil && o[origin{r.Node.Line, r.Node.Column, false}] ||
		r.Entry != nil && o[origin{r.Entry.Line, r.Entry.Column, true}]
}

// changed counts the resources that a wide entry changes.
func (e *Entry) changed() int {
	for entry, changed := range e.Layer.Facts.Changed {
		if workspace.SameNode(entry, e.Node) {
			return changed
		}
	}
	return 0
}

// watch replays the entry on the resources that are kept.
func watch(ctx context.Context, u *workspace.Scope, e *Entry, limit int, keep func(*resource.Resource) bool) (Effect, error) {
	var found Effect
	var seen []*watched
	byResource := map[*resource.Resource]*watched{}
	var current *watched
	differing := 0
	err := ReplayOn(ctx, u, e, keep, func(r *resource.Resource) {
		found.Applied = true
		if current = byResource[r]; current != nil {
			return
		}
		current = &watched{}
		byResource[r] = current
		if differing < limit {
			before, decoded := Readable(r)
			current.Change = Change{ID: r.ID().String(), Before: before, After: before, Decoded: decoded}
			seen = append(seen, current)
		}
	}, func(r *resource.Resource) bool {
		if current.Before == nil {
			return true
		}
		was := current.differs()
		after, decoded := Readable(r)
		current.After, current.Decoded = after, current.Decoded || decoded
		differing += count(current.differs()) - count(was)
		return true
	})
	for _, w := range seen {
		if !w.differs() {
			continue
		}
		found.Changed++
		if len(found.Changes) < limit {
			found.Changes = append(found.Changes, w.Change)
		}
	}
	return found, err
}

func (c *Change) differs() bool { return !bytes.Equal(c.Before, c.After) }

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Printed returns a resource as kustomize prints it, nothing for one that was
// deleted or cannot be printed.
func Printed(r *resource.Resource) []byte {
	if r.Node == nil {
		return nil
	}
	text, err := render.Document(nil, WithoutEmptyAnnotations(r.Node))
	if err != nil {
		return nil
	}
	return text
}

// WithoutEmptyAnnotations leaves out what some steps leave behind and the end of
// every build takes away.
func WithoutEmptyAnnotations(n *yaml.Node) *yaml.Node {
	_, metadata := syntax.Field(n, "metadata")
	_, annotations := syntax.Field(metadata, "annotations")
	if annotations == nil || annotations.Kind != yaml.MappingNode || len(annotations.Content) > 0 {
		return n
	}
	slim := *metadata
	slim.Content = nil
	for i := 0; i+1 < len(metadata.Content); i += 2 {
		if metadata.Content[i+1] != annotations {
			slim.Content = append(slim.Content, metadata.Content[i], metadata.Content[i+1])
		}
	}
	outer := *n
	outer.Content = slices.Clone(n.Content)
	outer.Content[slices.Index(outer.Content, metadata)] = &slim
	return &outer
}
