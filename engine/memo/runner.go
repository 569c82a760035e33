package memo

import (
	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
)

// Runner changes resources step by step, and repeats what a step is known to do.
type Runner struct {
	advice.Adviser
	// Steps are those of the layer that is built, nil where none are remembered.
	Steps *LayerSteps
	// Finals are those of the layer that is the build's root until the build is finished, nil where none are.
	Finals *LayerSteps
	// Names is the index of all names in the result, nil where there is none.
	Names *NameIndex
}

// Change is the one way in which a step changes a resource: it is recorded, and the set
// finds the resource under what identifies it afterwards.
func (b *Runner) Change(step trace.Step, r *resource.Resource, change func(*resource.Edit)) {
	after := b.Record(step, r)
	r.Change(change)
	after()
}

// Record tells the recorder, if there is one, of a change that is about to happen.
func (b *Runner) Record(step trace.Step, r *resource.Resource) (after func()) {
	after = advice.Nothing
	if b.Options.Recorder != nil {
		if f := b.Options.Recorder.Before(step, r); f != nil {
			after = f
		}
	}
	if !b.Options.Analyze {
		return after
	}
	recorded, watched := after, b.Watch(step, r)
	return func() {
		recorded()
		watched()
	}
}

// Succeed puts a resource in the place of another.
func (b *Runner) Succeed(acc *accumulator.Accumulator, old, r *resource.Resource) {
	acc.Set.Replace(old, r)
	if s, ok := b.Options.Recorder.(trace.Successor); ok {
		s.Succeeds(old, r)
	}
}
