package memo

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// What is done once, after all layers, hangs on all resources, and so is done again
// after each edit. Where it comes to the same for a resource, that gets the nodes that
// it had then: who looks at them knows them again (see resource.Notes).

// ending is what became of a resource in the end.
type ending struct {
	// from are the nodes that it had before its metadata were cleaned, and that were
	// found to be neither local configuration nor without a kind or name; next are those
	// of the build that is going on.
	from, next *yaml.Node
	node       *yaml.Node // in the end, nil before the end
	notes      *resource.Notes
}

// BeforeFinish gives each resource the form by which it is known in the following: one
// of an earlier build where it can be known again.
func (s *LayerSteps) BeforeFinish(list []*resource.Resource) {
	if s == nil {
		return
	}
	s.Settled = false
	for _, r := range list {
		f := formOf(r)
		if f == nil {
			r.Form = nil
			f = s.enterOne(r, nil)
		}
		if f == nil {
			f = &Form{}
		}
		r.Form = f
	}
}

// name notes what the resources are called once hashes are part of their names.
func (s *LayerSteps) name(list []*resource.Resource) []*Identity {
	named := make([]*Identity, len(list))
	for i, r := range list {
		f := r.Form.(*Form)
		if f.named == nil && !r.NeedsHash {
			f.named = f.identity
		}
		if f.named == nil || r.NeedsHash {
			if now := identityOf(r); !now.Equal(f.named) {
				f.named = now
			}
		}
		named[i] = f.named
	}
	return named
}

// EndOf returns what became of the resource when it had the nodes that it has, nil
// where that is not known.
func (s *LayerSteps) EndOf(r *resource.Resource) *ending {
	if s == nil {
		return nil
	}
	if end := &r.Form.(*Form).end; end.from != nil && end.from == r.Node {
		return end
	}
	return nil
}

// Clean is cleanMetadata. It may be called for several resources at a time.
func (s *LayerSteps) Clean(r *resource.Resource, clean func(*resource.Resource)) {
	if s == nil {
		clean(r)
		return
	}
	if end := s.EndOf(r); end != nil {
		r.Change(func(e *resource.Edit) { e.Put(end.node) })
		r.Share()
		return
	}
	end := &r.Form.(*Form).end
	if end.from, end.next = nil, nil; r.Shares() {
		end.next = r.Node
	}
	clean(r)
}

// AfterFinish gives the resources the nodes that they had. wrong are those that cannot
// stay as they are.
func (s *LayerSteps) AfterFinish(list []*resource.Resource, wrong map[*resource.Resource]bool) {
	if s == nil {
		return
	}
	for _, r := range list {
		end := &r.Form.(*Form).end
		r.Form = nil
		if r.Empty() {
			continue
		}
		if end.node != r.Node {
			r.Share()
			if end.node == nil || !sameTree(end.node, r.Node) {
				end.node, end.notes = r.Node, &resource.Notes{}
			}
			r.Node = end.node
			if end.from = end.next; wrong[r] {
				end.from = nil
			}
		}
		r.Notes = end.notes
	}
}

// sameTree tells whether two trees are the same in all that can be seen of them, their
// places included.
func sameTree(a, b *yaml.Node) bool {
	if a == b {
		return true
	}
	return a != nil && b != nil && a.Line == b.Line && a.Column == b.Column && a.Kind == b.Kind && a.Style == b.Style &&
		a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor && a.HeadComment == b.HeadComment &&
		a.LineComment == b.LineComment && a.FootComment == b.FootComment && sameTree(a.Alias, b.Alias) &&
		slices.EqualFunc(a.Content, b.Content, sameTree)
}

// Named returns the names of the resources, nil where they are not known or have changed
// since the references were fixed.
func (s *LayerSteps) Named(list []*resource.Resource) []*Identity {
	if s == nil || !s.Settled {
		return nil
	}
	named := make([]*Identity, len(list))
	for i, r := range list {
		named[i] = r.Form.(*Form).named
	}
	return named
}

// Ordering is what the resources of a build were sorted to.
type Ordering struct {
	Rules  string // what decided about it besides
	Before []*Identity
	Order  []int // the indexes of those in their order
}

// Sorted returns the order in which the resources stood when they were sorted by the
// same rules, nil where that is not known.
func (s *LayerSteps) Sorted(before []*Identity, rules string) []int {
	if before == nil || s.Order.Rules != rules || !slices.EqualFunc(before, s.Order.Before, (*Identity).sameNames) {
		return nil
	}
	return s.Order.Order
}
