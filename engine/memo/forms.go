package memo

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Form is a resource as it was at one moment of a build, by which it is known again in
// the next one, and what became of it. The resource of a form is never changed. In a
// build at most one resource has it.
type Form struct {
	resource.Resource
	identity *Identity
	named    *Identity // once hashes are part of names, nil before the end
	made     []made    // what steps made of it
	Trail    *Trail    // of its references, nil for none
	end      ending
	used     int // the last build, where it is the first form of a resource
}

// made is what a step made of a form.
type made struct {
	by    *StepMemory
	after *Form // nil where nothing changed
	// mergedBuiltin is true where that became true (see state).
	mergedBuiltin bool
	found         any // what else the step found
	used          int // the last build
	weight        int // about how many bytes it takes
}

// What the parts of the memory take, in bytes.
const (
	weightOfForm   = 800
	weightOfResult = 100
	weightOfNode   = 200
)

// weightOfCopies is about what a tree takes that is another in part.
func weightOfCopies(before, after *yaml.Node) int {
	if before == after || after == nil {
		return 0
	}
	weight := weightOfNode
	for i, child := range after.Content {
		var old *yaml.Node
		if before != nil && i < len(before.Content) {
			old = before.Content[i]
		}
		weight += weightOfCopies(old, child)
	}
	return weight
}

// Identity is what others that name a resource see of it. Forms in which it is the
// same have the same one, as far as that is seen.
type Identity struct {
	id                 resource.ID
	previous           []resource.Previous
	prefixes, suffixes []string
	// name and namespace are what those that refer to it take their places from.
	name, namespace *yaml.Node
	next            []*Identity // what it became
}

func identityOf(r *resource.Resource) *Identity {
	i := &Identity{id: r.ID(), previous: r.Previous, prefixes: r.Prefixes, suffixes: r.Suffixes, name: problem.NameNode(r)}
	_, i.namespace = syntax.Field(r.Metadata(), "namespace")
	return i
}

// Equal tells whether the two are the same, the places as they were when they were read.
func (i *Identity) Equal(other *Identity) bool {
	return i == other || i != nil && other != nil && i.same(other, samePosition)
}

func (i *Identity) same(other *Identity, place func(a, b *yaml.Node) bool) bool {
	return i.sameNames(other) && slices.Equal(i.prefixes, other.prefixes) && slices.Equal(i.suffixes, other.suffixes) &&
		place(i.name, other.name) && place(i.namespace, other.namespace)
}

func samePosition(a, b *yaml.Node) bool {
	return a == b || a != nil && b != nil && a.Line == b.Line && a.Column == b.Column
}

// sameNames tells whether the two have and had the same identifiers.
func (i *Identity) sameNames(other *Identity) bool {
	return i == other || i.id == other.id && slices.Equal(i.previous, other.previous)
}

// maxNext bounds what is remembered of an identity: who types a prefix gives it many.
const maxNext = 8

// then returns what the identity is once the resource has become another. The table
// tells what places in versions of a file are the same.
func (i *Identity) then(r *resource.Resource, table *syntax.Table) *Identity {
	now := identityOf(r)
	same := sameness{table: table}
	place := func(a, b *yaml.Node) bool { return a == b || a != nil && b != nil && same.place(a, b) }
	if i.same(now, place) {
		return i
	}
	for _, known := range i.next {
		if known.same(now, place) {
			return known
		}
	}
	if len(i.next) == maxNext {
		i.next = slices.Delete(i.next, 0, 1)
	}
	i.next = append(i.next, now)
	return now
}

// formOf returns the form that the resource has now; nil for none.
func formOf(r *resource.Resource) *Form {
	f, _ := r.Form.(*Form)
	if f == nil || f.Node != r.Node || !r.Shares() || !f.State.Equal(&r.State) {
		return nil
	}
	return f
}

// Enter gives resources the forms in which they came to the steps in an earlier build,
// or new ones. Who holds nodes that may still change has none.
func (s *LayerSteps) Enter(list []*resource.Resource) {
	same := make([]bool, len(list))
	parallel.ForEach(len(list), func(i int) {
		r := list[i]
		r.Form = nil
		if i < len(s.slots) && s.slots[i] != nil {
			f := s.slots[i]
			if same[i] = f.Node == r.Node && r.Shares() && f.State.Equal(&r.State) && f.used != s.Build; same[i] {
				f.used, r.Form = s.Build, f
			}
		}
	})
	slots := make([]*Form, len(list))
	for i, r := range list {
		if same[i] {
			slots[i] = s.slots[i]
			continue
		}
		var before *Form
		if i < len(s.slots) {
			before = s.slots[i]
		}
		slots[i] = s.enterOne(r, before)
	}
	if len(s.slots) == len(slots) {
		s.forgetReplaced()
	}
	s.slots = slots
	s.Used += len(list) * weightOfForm
}

// forgetReplaced forgets the forms that resources had in the last build and have no more.
func (s *LayerSteps) forgetReplaced() {
	for _, f := range s.slots {
		if f != nil && f.used != s.Build && s.Forms[f.Node] == f {
			delete(s.Forms, f.Node)
			s.Size -= f.weight()
		}
	}
}

// weight is about how many bytes the form and all that became of it take.
func (f *Form) weight() int {
	weight := weightOfForm
	for _, m := range f.made {
		weight += m.weight
		if m.after != nil {
			weight += m.after.weight() - weightOfForm
		}
	}
	return weight
}

// enterOne is enter for one resource; like is a form that it may be much like.
func (s *LayerSteps) enterOne(r *resource.Resource, like *Form) *Form {
	if !r.Shares() || r.Empty() {
		return nil
	}
	f := s.Forms[r.Node]
	switch {
	case f != nil && f.used == s.Build:
		return nil // another resource has it
	case f == nil || !f.State.Equal(&r.State):
		f = &Form{}
		r.CopyShared(&f.Resource)
		if f.identity = identityOf(r); like != nil && like.identity.Equal(f.identity) {
			f.identity = like.identity
		}
		if old := s.Forms[r.Node]; old != nil {
			s.Size -= old.weight()
		}
		s.Size += weightOfForm
		s.Forms[r.Node] = f
	}
	f.used, r.Form = s.Build, f
	return f
}

// Sweep forgets the steps in whose turn others have come, and what was not used for long
// once most was not used now, and as much has come as is used since something was
// forgotten last.
func (s *LayerSteps) Sweep() {
	replaced := false
	for turn, m := range s.Now {
		if before := s.Last[turn]; before != nil && before != m && before.used != s.Build {
			before.replaced, replaced = true, true
		}
		s.Last[turn] = m
	}
	idle := s.Size > max(2*s.Used+1<<20, s.swept+s.Used)
	if !replaced && !idle {
		return
	}
	forget := func(m *StepMemory) bool { return m.replaced || idle && s.isIdle(m.used) }
	for hash, list := range s.Steps {
		if s.Steps[hash] = slices.DeleteFunc(list, forget); len(s.Steps[hash]) == 0 {
			delete(s.Steps, hash)
		}
	}
	s.Size = 0
	for node, f := range s.Forms {
		if idle && s.isIdle(f.used) {
			delete(s.Forms, node)
			continue
		}
		s.Size += weightOfForm
		s.prune(f, idle)
	}
	for i, f := range s.slots {
		if f != nil && s.Forms[f.Node] != f {
			s.slots[i] = nil
		}
	}
	if idle {
		s.swept = s.Size
		s.names = slices.DeleteFunc(s.names, func(n *NameIndex) bool { return s.isIdle(n.used) })
	}
}

func (s *LayerSteps) isIdle(used int) bool { return used < s.Build-maxIdleBuilds }

func (s *LayerSteps) prune(f *Form, idle bool) {
	f.made = slices.DeleteFunc(f.made, func(m made) bool { return m.by.replaced || idle && s.isIdle(m.used) })
	for _, m := range f.made {
		s.Size += m.weight
		if m.after != nil {
			s.prune(m.after, idle)
		}
	}
}
