package explain

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// watch is a builder.Recorder that remembers the steps of some resources.
type watch struct {
	// concerns tells cheaply of which resources the steps may be wanted.
	concerns func(*resource.Resource) bool
	// histories are what happened, by the resource that it happened to.
	histories map[*resource.Resource]*history
}

// history is what happened to one resource.
type history struct {
	now   *resource.Resource
	steps []change
	// passed counts the steps that were not looked at.
	passed int
}

// change is a step that was looked at.
type change struct {
	step          builder.Step
	before, after *yaml.Node // copies
}

func newWatch(concerns func(*resource.Resource) bool) *watch {
	return &watch{concerns: concerns, histories: map[*resource.Resource]*history{}}
}

// Before implements builder.Recorder.
func (w *watch) Before(step builder.Step, r *resource.Resource) func() {
	h := w.histories[r]
	if h == nil {
		h = &history{now: r}
		w.histories[r] = h
	}
	if !w.concerns(r) {
		h.passed++
		return nil
	}
	c := change{step: step, before: syntax.Copy(r.Node)}
	return func() {
		c.after = syntax.Copy(h.now.Node)
		h.steps = append(h.steps, c)
	}
}

// Succeeds implements builder.Successor.
func (w *watch) Succeeds(old, r *resource.Resource) {
	if h := w.histories[old]; h != nil {
		h.now = r
		w.histories[r] = h
	}
}

// occursIn tells of the resources whose kind begins an address and whose original
// name is a part of it: most rendered names are made of the original one.
func occursIn(address string) func(*resource.Resource) bool {
	return func(r *resource.Resource) bool {
		return strings.HasPrefix(address, r.ID().Kind) && strings.Contains(address, r.OriginalID().Name)
	}
}

// likely tells of the resources that may be the same as one of an earlier build of
// the same files.
func likely(earlier *resource.Resource) func(*resource.Resource) bool {
	names := map[string]bool{}
	for _, id := range earlier.AllIDs() {
		names[id.Name] = true
	}
	return func(r *resource.Resource) bool {
		return names[r.ID().Name] || names[r.OriginalID().Name] || samePlace(r.Entry, earlier.Entry)
	}
}

func samePlace(a, b *yaml.Node) bool {
	return a != nil && b != nil && a.Line == b.Line && a.Column == b.Column
}

// Unwatched is a recorder that remembers nothing: with one, a build also finds the
// places in documents that are embedded in strings.
var Unwatched builder.Recorder = unwatched{}

type unwatched struct{}

// Before implements builder.Recorder.
func (unwatched) Before(builder.Step, *resource.Resource) func() { return nil }
