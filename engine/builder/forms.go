package builder

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// form is a resource as it was at one moment of a build, by which it is known again in
// the next one, and what became of it. The resource of a form is never changed. In a
// build at most one resource has it.
type form struct {
	resource.Resource
	identity *identity
	named    *identity // once hashes are part of names, nil before the end
	made     []made    // what steps made of it
	trail    *trail    // of its references, nil for none
	end      ending
	used     int // the last build, where it is the first form of a resource
}

// made is what a step made of a form.
type made struct {
	by    *stepMemory
	after *form // nil where nothing changed
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

// identity is what others that name a resource see of it. Forms in which it is the
// same have the same one, as far as that is seen.
type identity struct {
	id                 resource.ID
	previous           []resource.Previous
	prefixes, suffixes []string
	// name and namespace are what those that refer to it take their places from.
	name, namespace *yaml.Node
	next            []*identity // what it became
}

func identityOf(r *resource.Resource) *identity {
	i := &identity{id: r.ID(), previous: r.Previous, prefixes: r.Prefixes, suffixes: r.Suffixes, name: nameNode(r)}
	_, i.namespace = syntax.Field(r.Metadata(), "namespace")
	return i
}

// equal tells whether the two are the same, the places as they were when they were read.
func (i *identity) equal(other *identity) bool {
	return i == other || i != nil && other != nil && i.same(other, samePosition)
}

func (i *identity) same(other *identity, place func(a, b *yaml.Node) bool) bool {
	return i.sameNames(other) && slices.Equal(i.prefixes, other.prefixes) && slices.Equal(i.suffixes, other.suffixes) &&
		place(i.name, other.name) && place(i.namespace, other.namespace)
}

func samePosition(a, b *yaml.Node) bool {
	return a == b || a != nil && b != nil && a.Line == b.Line && a.Column == b.Column
}

// sameNames tells whether the two have and had the same identifiers.
func (i *identity) sameNames(other *identity) bool {
	return i == other || i.id == other.id && slices.Equal(i.previous, other.previous)
}

// maxNext bounds what is remembered of an identity: who types a prefix gives it many.
const maxNext = 8

// then returns what the identity is once the resource has become another. The table
// tells what places in versions of a file are the same.
func (i *identity) then(r *resource.Resource, table *syntax.Table) *identity {
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
func formOf(r *resource.Resource) *form {
	f, _ := r.Form.(*form)
	if f == nil || f.Node != r.Node || !r.Shares() || !f.State.Equal(&r.State) {
		return nil
	}
	return f
}

// enter gives resources the forms in which they came to the steps in an earlier build,
// or new ones. Who holds nodes that may still change has none.
func (s *layerSteps) enter(list []*resource.Resource) {
	same := make([]bool, len(list))
	onAllCores(len(list), func(i int) {
		r := list[i]
		r.Form = nil
		if i < len(s.slots) && s.slots[i] != nil {
			f := s.slots[i]
			if same[i] = f.Node == r.Node && r.Shares() && f.State.Equal(&r.State) && f.used != s.build; same[i] {
				f.used, r.Form = s.build, f
			}
		}
	})
	slots := make([]*form, len(list))
	for i, r := range list {
		if same[i] {
			slots[i] = s.slots[i]
			continue
		}
		var before *form
		if i < len(s.slots) {
			before = s.slots[i]
		}
		slots[i] = s.enterOne(r, before)
	}
	if len(s.slots) == len(slots) {
		s.forgetReplaced()
	}
	s.slots = slots
	s.used += len(list) * weightOfForm
}

// forgetReplaced forgets the forms that resources had in the last build and have no more.
func (s *layerSteps) forgetReplaced() {
	for _, f := range s.slots {
		if f != nil && f.used != s.build && s.forms[f.Node] == f {
			delete(s.forms, f.Node)
			s.size -= f.weight()
		}
	}
}

// weight is about how many bytes the form and all that became of it take.
func (f *form) weight() int {
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
func (s *layerSteps) enterOne(r *resource.Resource, like *form) *form {
	if !r.Shares() || r.Empty() {
		return nil
	}
	f := s.forms[r.Node]
	switch {
	case f != nil && f.used == s.build:
		return nil // another resource has it
	case f == nil || !f.State.Equal(&r.State):
		f = &form{}
		r.CopyShared(&f.Resource)
		if f.identity = identityOf(r); like != nil && like.identity.equal(f.identity) {
			f.identity = like.identity
		}
		if old := s.forms[r.Node]; old != nil {
			s.size -= old.weight()
		}
		s.size += weightOfForm
		s.forms[r.Node] = f
	}
	f.used, r.Form = s.build, f
	return f
}

// sweep forgets the steps in whose turn others have come, and what was not used for long
// once most was not used now, and as much has come as is used since something was
// forgotten last.
func (s *layerSteps) sweep() {
	replaced := false
	for turn, m := range s.now {
		if before := s.last[turn]; before != nil && before != m && before.used != s.build {
			before.replaced, replaced = true, true
		}
		s.last[turn] = m
	}
	idle := s.size > max(2*s.used+1<<20, s.swept+s.used)
	if !replaced && !idle {
		return
	}
	forget := func(m *stepMemory) bool { return m.replaced || idle && s.isIdle(m.used) }
	for hash, list := range s.steps {
		if s.steps[hash] = slices.DeleteFunc(list, forget); len(s.steps[hash]) == 0 {
			delete(s.steps, hash)
		}
	}
	s.size = 0
	for node, f := range s.forms {
		if idle && s.isIdle(f.used) {
			delete(s.forms, node)
			continue
		}
		s.size += weightOfForm
		s.prune(f, idle)
	}
	for i, f := range s.slots {
		if f != nil && s.forms[f.Node] != f {
			s.slots[i] = nil
		}
	}
	if idle {
		s.swept = s.size
		s.names = slices.DeleteFunc(s.names, func(n *nameIndex) bool { return s.isIdle(n.used) })
	}
}

func (s *layerSteps) isIdle(used int) bool { return used < s.build-maxIdleBuilds }

func (s *layerSteps) prune(f *form, idle bool) {
	f.made = slices.DeleteFunc(f.made, func(m made) bool { return m.by.replaced || idle && s.isIdle(m.used) })
	for _, m := range f.made {
		s.size += m.weight
		if m.after != nil {
			s.prune(m.after, idle)
		}
	}
}
