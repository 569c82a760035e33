package ide

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

// change is what an entry did to one resource.
type change struct {
	id            string
	before, after []byte // as kustomize prints the resource, see readable
	decoded       bool
}

// replay builds the root again and watches what the entry does. before is called
// with each resource in the state that the entry meets, after once it is done, with
// what has taken its place by then; when that returns false, enough was seen and the
// build ends.
func replay(ctx context.Context, u *workspace.Scope, e *entry, before func(*resource.Resource), after func(*resource.Resource) bool) error {
	return replayOn(ctx, u, e, nil, before, after)
}

// replayOn is replay where the entry's layer works on some resources only: those to be
// kept; nil for all.
func replayOn(ctx context.Context, u *workspace.Scope, e *entry, keep func(*resource.Resource) bool, before func(*resource.Resource), after func(*resource.Resource) bool) error {
	building, stop := context.WithCancel(ctx)
	defer stop()
	options := u.View.Options().Of(u.Build.Root.Dir)
	options.Observed = e.layer.Path // what is below is as it was
	options.Recorder = &watcher{entry: e, before: before, after: after, stop: stop}
	options.Keep = keep
	if e.transformer == varTransformer {
		options.Observed = u.Result.Root.Path // which replaces them all
	}
	_, err := u.Build.Session().Build(building, u.Build.Root.Dir, options)
	if building.Err() != nil {
		return ctx.Err()
	}
	return err
}

type watcher struct {
	entry  *entry
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
func (e *entry) matches(step builder.Step) bool {
	if e.transformer != "" && step.Transformer != e.transformer {
		return false
	}
	if step.Entry == nil {
		return e.transformer != "" // of all entries of the field
	}
	return sameNode(step.Entry, e.node) && step.Layer.Path == e.layer.Path
}

// outcome is what an entry did.
type outcome struct {
	// changes are the first that differ. applied is true where it was applied to any
	// resource.
	changes []change
	applied bool
	// changed counts the resources that a wide entry changed.
	changed int
}

// watched is a resource that an entry comes to, perhaps several times.
type watched struct{ change }

// effectOf returns what the entry does, with up to a number of changes. It looks at
// some of the resources that it comes to; at all of them only where those do not
// change.
func effectOf(ctx context.Context, u *workspace.Scope, e *entry, limit int) (outcome, error) {
	targets := len(e.targets())
	if targets == 0 && !e.isWide {
		return outcome{}, nil
	}
	found, err := watch(ctx, u, e, limit, sample(u, e))
	if err == nil && len(found.changes) == 0 && (targets > maxSample || e.changed() > 0 || !found.applied) {
		found, err = watch(ctx, u, e, limit, nil)
	}
	if e.isWide && e.transformer != varTransformer {
		found.changed = e.changed()
	}
	return found, err
}

// maxSample is how many resources of an entry are looked at.
const maxSample = 24

// sample tells which resources are looked at: some that the entry comes to, and those
// that values are read from.
func sample(u *workspace.Scope, e *entry) func(*resource.Resource) bool {
	kept := origins{}
	for _, l := range workspace.Layers(u.Result) {
		for _, f := range l.Facts.Vars {
			kept.add(f.Source)
		}
	}
	if e.isWide {
		count := 0
		return func(r *resource.Resource) bool {
			if e.concerns != nil {
				return e.concerns(r) || kept.have(r)
			}
			count++
			return count <= maxSample
		}
	}
	if e.fact != nil {
		kept.add(e.fact.Source)
	}
	targets := e.targets()
	for _, r := range targets[:min(len(targets), maxSample)] {
		kept.add(r)
	}
	return kept.have
}

// origins are where resources were read, by which they are the same in two builds. Of
// one that was deleted only the entry is known, and all that it brought in are meant.
type origins map[origin]bool

type origin struct {
	line, column int
	isEntry      bool
}

func (o origins) add(r *resource.Resource) {
	switch {
	case r == nil:
	case r.Node != nil && r.Node.Line != 0:
		o[origin{r.Node.Line, r.Node.Column, false}] = true
	case r.Entry != nil:
		o[origin{r.Entry.Line, r.Entry.Column, true}] = true
	}
}

func (o origins) have(r *resource.Resource) bool {
	return r.Node != nil && o[origin{r.Node.Line, r.Node.Column, false}] ||
		r.Entry != nil && o[origin{r.Entry.Line, r.Entry.Column, true}]
}

// changed counts the resources that a wide entry changes.
func (e *entry) changed() int {
	for entry, changed := range e.layer.Facts.Changed {
		if sameNode(entry, e.node) {
			return changed
		}
	}
	return 0
}

// watch replays the entry on the resources that are kept.
func watch(ctx context.Context, u *workspace.Scope, e *entry, limit int, keep func(*resource.Resource) bool) (outcome, error) {
	var found outcome
	var seen []*watched
	byResource := map[*resource.Resource]*watched{}
	var current *watched
	differing := 0
	err := replayOn(ctx, u, e, keep, func(r *resource.Resource) {
		found.applied = true
		if current = byResource[r]; current != nil {
			return
		}
		current = &watched{}
		byResource[r] = current
		if differing < limit {
			before, decoded := readable(r)
			current.change = change{id: r.ID().String(), before: before, after: before, decoded: decoded}
			seen = append(seen, current)
		}
	}, func(r *resource.Resource) bool {
		if current.before == nil {
			return true
		}
		was := current.differs()
		after, decoded := readable(r)
		current.after, current.decoded = after, current.decoded || decoded
		differing += count(current.differs()) - count(was)
		return true
	})
	for _, w := range seen {
		if !w.differs() {
			continue
		}
		found.changed++
		if len(found.changes) < limit {
			found.changes = append(found.changes, w.change)
		}
	}
	return found, err
}

func (c *change) differs() bool { return !bytes.Equal(c.before, c.after) }

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// printed returns a resource as kustomize prints it, nothing for one that was
// deleted or cannot be printed.
func printed(r *resource.Resource) []byte {
	if r.Node == nil {
		return nil
	}
	text, err := render.Document(nil, withoutEmptyAnnotations(r.Node))
	if err != nil {
		return nil
	}
	return text
}

// withoutEmptyAnnotations leaves out what some steps leave behind and the end of
// every build takes away.
func withoutEmptyAnnotations(n *yaml.Node) *yaml.Node {
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
