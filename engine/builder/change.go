package builder

import (
	"github.com/kustomize-lsp/kls/engine/resource"
)

// runner changes resources step by step, and repeats what a step is known to do.
type runner struct {
	adviser
	// steps are those of the layer that is built, nil where none are remembered.
	steps *layerSteps
	// finals are those of the layer that is the build's root until the build is finished, nil where none are.
	finals *layerSteps
	// names is the index of all names in the result, nil where there is none.
	names *nameIndex
}

// change is the one way in which a step changes a resource: it is recorded, and the set
// finds the resource under what identifies it afterwards.
func (b *runner) change(step Step, r *resource.Resource, change func(*resource.Edit)) {
	after := b.record(step, r)
	r.Change(change)
	after()
}

// record tells the recorder, if there is one, of a change that is about to happen.
func (b *runner) record(step Step, r *resource.Resource) (after func()) {
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

// succeed puts a resource in the place of another.
func (b *runner) succeed(acc *accumulator, old, r *resource.Resource) {
	acc.set.Replace(old, r)
	if s, ok := b.options.Recorder.(Successor); ok {
		s.Succeeds(old, r)
	}
}
