package builder

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

// beforeFinish gives each resource the form by which it is known in the following: one
// of an earlier build where it can be known again.
func (s *layerSteps) beforeFinish(list []*resource.Resource) {
	if s == nil {
		return
	}
	s.settled = false
	for _, r := range list {
		f := formOf(r)
		if f == nil {
			r.Form = nil
			f = s.enterOne(r, nil)
		}
		if f == nil {
			f = &form{}
		}
		r.Form = f
	}
}

// name notes what the resources are called once hashes are part of their names.
func (s *layerSteps) name(list []*resource.Resource) []*identity {
	named := make([]*identity, len(list))
	for i, r := range list {
		f := r.Form.(*form)
		if f.named == nil && !r.NeedsHash {
			f.named = f.identity
		}
		if f.named == nil || r.NeedsHash {
			if now := identityOf(r); !now.equal(f.named) {
				f.named = now
			}
		}
		named[i] = f.named
	}
	return named
}

// endOf returns what became of the resource when it had the nodes that it has, nil
// where that is not known.
func (s *layerSteps) endOf(r *resource.Resource) *ending {
	if s == nil {
		return nil
	}
	if end := &r.Form.(*form).end; end.from != nil && end.from == r.Node {
		return end
	}
	return nil
}

// clean is cleanMetadata. It may be called for several resources at a time.
func (s *layerSteps) clean(r *resource.Resource, clean func(*resource.Resource)) {
	if s == nil {
		clean(r)
		return
	}
	if end := s.endOf(r); end != nil {
		r.Change(func(e *resource.Edit) { e.Put(end.node) })
		r.Share()
		return
	}
	end := &r.Form.(*form).end
	if end.from, end.next = nil, nil; r.Shares() {
		end.next = r.Node
	}
	clean(r)
}

// afterFinish gives the resources the nodes that they had. wrong are those that cannot
// stay as they are.
func (s *layerSteps) afterFinish(list []*resource.Resource, wrong map[*resource.Resource]bool) {
	if s == nil {
		return
	}
	for _, r := range list {
		end := &r.Form.(*form).end
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

// named returns the names of the resources, nil where they are not known or have changed
// since the references were fixed.
func (s *layerSteps) named(list []*resource.Resource) []*identity {
	if s == nil || !s.settled {
		return nil
	}
	named := make([]*identity, len(list))
	for i, r := range list {
		named[i] = r.Form.(*form).named
	}
	return named
}

// ordering is what the resources of a build were sorted to.
type ordering struct {
	rules  string // what decided about it besides
	before []*identity
	order  []int // the indexes of those in their order
}

// sorted returns the order in which the resources stood when they were sorted by the
// same rules, nil where that is not known.
func (s *layerSteps) sorted(before []*identity, rules string) []int {
	if before == nil || s.order.rules != rules || !slices.EqualFunc(before, s.order.before, (*identity).sameNames) {
		return nil
	}
	return s.order.order
}
