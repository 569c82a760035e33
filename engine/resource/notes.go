package resource

import (
	"slices"
	"sync/atomic"
)

// Notes keep what was found out about the nodes of a resource, for builds in which the
// very nodes come up again. They are safe for concurrent use.
type Notes struct{ answers atomic.Pointer[[]answer] }

type answer struct{ about, says any }

// Note returns what find finds out about the nodes of the resource, or what it found
// when it was called for the same nodes in an earlier build. It must look at nothing
// else, and its result must not be changed. about tells the answers of different
// functions apart; it is compared with ==.
func (r *Resource) Note(about any, find func() any) any {
	if r.Notes == nil {
		return find()
	}
	if says, ok := r.Notes.get(about); ok {
		return says
	}
	says := find()
	r.Notes.add(about, says)
	return says
}

// Noted returns what Note found, if it was asked.
func (r *Resource) Noted(about any) (says any, ok bool) {
	if r.Notes == nil {
		return nil, false
	}
	return r.Notes.get(about)
}

func (n *Notes) get(about any) (says any, ok bool) {
	if list := n.answers.Load(); list != nil {
		for _, a := range *list {
			if a.about == about {
				return a.says, true
			}
		}
	}
	return nil, false
}

func (n *Notes) add(about, says any) {
	for {
		before := n.answers.Load()
		var list []answer
		if before != nil {
			list = *before
		}
		list = append(slices.Clip(list), answer{about, says})
		if n.answers.CompareAndSwap(before, &list) {
			return
		}
	}
}
