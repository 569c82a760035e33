package ide

import (
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
// with each resource in the state that the entry meets, after once it is done.
func (u *use) replay(ctx context.Context, e *entry, before func(*resource.Resource), after func(*resource.Resource)) error {
	options := u.view.options.Build
	options.Recorder = &watcher{entry: e, before: before, after: after}
	_, err := u.built.session.Build(ctx, u.built.root.target.Dir, options)
	return err
}

type watcher struct {
	entry         *entry
	before, after func(*resource.Resource)
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
	return func() { w.after(r) }
}

// changes returns what the entry did to the first resources that it changed, up to
// a number of them, and how many resources it was applied to.
func (u *use) changes(ctx context.Context, e *entry, limit int) (changes []change, applied int, err error) {
	at := map[*resource.Resource]int{}
	seen := map[*resource.Resource]bool{}
	err = u.replay(ctx, e, func(r *resource.Resource) {
		seen[r] = true
		if _, ok := at[r]; ok || changedIn(changes) >= limit {
			return
		}
		at[r] = len(changes)
		changes = append(changes, change{id: r.ID().String(), before: printed(r)})
	}, func(r *resource.Resource) {
		if i, ok := at[r]; ok {
			changes[i].after = printed(r)
		}
	})
	return differing(changes), len(seen), err
}

func changedIn(changes []change) int { return len(differing(changes)) }

func differing(changes []change) []change {
	var out []change
	for _, c := range changes {
		if string(c.before) != string(c.after) {
			out = append(out, c)
		}
	}
	return out
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
