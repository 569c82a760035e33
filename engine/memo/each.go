package memo

import (
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
)

// Work is what a step does to resources, to one after the other.
type Work struct {
	Step trace.Step
	// Key says what the step does to a resource; where it has no transformer, nothing
	// is remembered of it.
	Key StepKey
	// Copies is the field that the step changes in most resources, empty for all of
	// them and nothingOwned for none.
	Copies string
	// ComesTo tells to which resources the step comes; nil is for all.
	ComesTo func(*resource.Resource) bool
	// Prepare, where it is not nil, is called on all cores before the change.
	Prepare func(i int, r *resource.Resource)
	// Change changes a resource. It returns what else it found, and whether the next
	// build may repeat what it did.
	Change func(i int, r *resource.Resource) (found any, repeatable bool)
	// Found, where it is not nil, is called with what the change found, in this build
	// or in an earlier one.
	Found func(i int, r *resource.Resource, found any)
}

// Edit is a change that is recorded, and finds nothing.
func (b *Runner) Edit(step trace.Step, edit func(*resource.Edit)) func(int, *resource.Resource) (any, bool) {
	return func(_ int, r *resource.Resource) (any, bool) {
		b.Change(step, r, edit)
		return nil, true
	}
}

// Each is the one loop of all steps. What a step is known to make of a resource is
// repeated, and what it makes of the others is remembered.
func (b *Runner) Each(resources []*resource.Resource, w Work) stepRun {
	run := b.run(w.Key)
	plan := run.plan(resources, w)
	run.repeatAll(plan, w.Step, resources)
	remembers := run.isWorthwhile(plan)
	for i, r := range resources {
		if b.Stopped() {
			break
		}
		p := plan[i]
		var found any
		switch {
		case p.known != nil:
			found = p.known.found
		case !p.fresh:
			continue
		default:
			before := run.begin(p)
			var repeatable bool
			if found, repeatable = w.Change(i, r); repeatable && remembers {
				run.end(before, r, found)
			}
		}
		if w.Found != nil {
			w.Found(i, r, found)
		}
	}
	return run
}
