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
// with each resource in the state that the entry meets, after once it is done;
// when that returns false, enough was seen and the build ends.
func (u *use) replay(ctx context.Context, e *entry, before func(*resource.Resource), after func(*resource.Resource) bool) error {
	building, stop := context.WithCancel(ctx)
	defer stop()
	options := u.view.options.Of(u.built.root.target.Dir)
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
}

// Before implements build.Recorder.
func (w *watcher) Before(step build.Step, r *resource.Resource) func() {
	if !sameNode(step.Entry, w.entry.node) || step.Layer.Path != w.entry.layer.Path {
		return nil
	}
	w.before(r)
	if w.after == nil {
		return nil
	}
	return func() {
		if !w.after(r) {
			w.stop()
		}
	}
}

// changes returns what the entry did to the first resources that it changed, up to
// a number of them, and whether it was applied to any.
func (u *use) changes(ctx context.Context, e *entry, limit int) (found []change, applied bool, err error) {
	var seen []change
	at := map[*resource.Resource]int{}
	differing := 0
	err = u.replay(ctx, e, func(r *resource.Resource) {
		applied = true
		if _, ok := at[r]; ok || differing >= limit {
			return
		}
		at[r] = len(seen)
		before := printed(r)
		seen = append(seen, change{id: r.ID().String(), before: before, after: before})
	}, func(r *resource.Resource) bool {
		if i, ok := at[r]; ok {
			was := seen[i].differs()
			seen[i].after = printed(r)
			differing += count(seen[i].differs()) - count(was)
		}
		return differing < limit || !e.isOnePass()
	})
	for _, c := range seen {
		if c.differs() && len(found) < limit {
			found = append(found, c)
		}
	}
	return found, applied, err
}

func (c *change) differs() bool { return !bytes.Equal(c.before, c.after) }

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// isOnePass tells whether the entry comes to each resource once at most.
func (e *entry) isOnePass() bool {
	if e.replacement != nil {
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
