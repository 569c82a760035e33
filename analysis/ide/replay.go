package ide

import (
	"bytes"
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// change is what an entry did to one resource.
type change struct {
	id            string
	before, after []byte // as kustomize prints the resource
}

// replay builds the root again and watches what the entry does. before is called
// with each resource in the state that the entry meets, after once it is done, with
// what has taken its place by then; when that returns false, enough was seen and the
// build ends.
func (u *use) replay(ctx context.Context, e *entry, before func(*resource.Resource), after func(*resource.Resource) bool) error {
	building, stop := context.WithCancel(ctx)
	defer stop()
	options := u.view.options.Of(u.built.root.target.Dir)
	options.Observed = e.layer.Path // what is below is as it was
	options.Recorder = &watcher{entry: e, before: before, after: after, stop: stop}
	_, err := u.built.session.Build(building, u.built.root.target.Dir, options)
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

// Before implements build.Recorder.
func (w *watcher) Before(step build.Step, r *resource.Resource) func() {
	if !w.entry.matches(step) {
		if w.begun && w.entry.isWide {
			w.stop() // it has come to all resources
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

// Succeeds implements build.Successor.
func (w *watcher) Succeeds(old, r *resource.Resource) {
	if w.successors == nil {
		w.successors = map[*resource.Resource]*resource.Resource{}
	}
	w.successors[old] = r
}

// matches tells whether a step is one of the entry.
func (e *entry) matches(step build.Step) bool {
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
type watched struct {
	change
	resource *resource.Resource
	id       resource.ID // before
}

// effectOf returns what the entry does, with up to a number of changes.
func (u *use) effectOf(ctx context.Context, e *entry, limit int) (outcome, error) {
	var found outcome
	var seen []*watched
	byResource := map[*resource.Resource]*watched{}
	var current *watched
	differing := 0
	err := u.replay(ctx, e, func(r *resource.Resource) {
		found.applied = true
		if current = byResource[r]; current != nil {
			return
		}
		current = &watched{resource: r, id: r.ID()}
		byResource[r] = current
		if differing < limit {
			before := printed(r)
			current.change = change{id: r.ID().String(), before: before, after: before}
			seen = append(seen, current)
		}
	}, func(r *resource.Resource) bool {
		if current.before == nil {
			found.changed += count(!e.comparesNames() || current.id != r.ID())
			return true
		}
		was := current.differs()
		current.after = printed(r)
		differing += count(current.differs()) - count(was)
		return differing < limit || !e.isOnePass()
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

// comparesNames tells of an entry that changes nothing but what identifies a
// resource, as far as it is counted.
func (e *entry) comparesNames() bool { return e.what == "Namespace" || e.verb == "renames" }

func (c *change) differs() bool { return !bytes.Equal(c.before, c.after) }

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// isOnePass tells whether the entry comes to each resource once at most, and how
// many there are is known without it.
func (e *entry) isOnePass() bool {
	switch {
	case e.isWide:
		return false
	case e.replacement != nil:
		return len(e.replacement.Targets) == 1
	}
	return len(e.patches) == 1
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
