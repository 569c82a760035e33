package builder

import (
	"github.com/kustomize-lsp/kls/engine/resource"
)

// work is what a step does to resources, to one after the other.
type work struct {
	step Step
	// key says what the step does to a resource; where it has no transformer, nothing
	// is remembered of it.
	key stepKey
	// copies is the field that the step changes in most resources, empty for all of
	// them and nothingOwned for none.
	copies string
	// comesTo tells to which resources the step comes; nil is for all.
	comesTo func(*resource.Resource) bool
	// prepare, where it is not nil, is called on all cores before the change.
	prepare func(i int, r *resource.Resource)
	// change changes a resource. It returns what else it found, and whether the next
	// build may repeat what it did.
	change func(i int, r *resource.Resource) (found any, repeatable bool)
	// found, where it is not nil, is called with what the change found, in this build
	// or in an earlier one.
	found func(i int, r *resource.Resource, found any)
}

// edit is a change that is recorded, and finds nothing.
func (b *runner) edit(step Step, edit func(*resource.Edit)) func(int, *resource.Resource) (any, bool) {
	return func(_ int, r *resource.Resource) (any, bool) {
		b.change(step, r, edit)
		return nil, true
	}
}

// each is the one loop of all steps. What a step is known to make of a resource is
// repeated, and what it makes of the others is remembered.
func (b *runner) each(resources []*resource.Resource, w work) stepRun {
	run := b.run(w.key)
	plan := run.plan(resources, w)
	run.repeatAll(plan, w.step, resources)
	remembers := run.isWorthwhile(plan)
	for i, r := range resources {
		if b.stopped() {
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
			if found, repeatable = w.change(i, r); repeatable && remembers {
				run.end(before, r, found)
			}
		}
		if w.found != nil {
			w.found(i, r, found)
		}
	}
	return run
}
