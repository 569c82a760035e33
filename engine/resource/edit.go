package resource

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Edit is a resource that may be changed. Only Change hands one out, so that no
// change escapes the index of the resource's set.
type Edit struct{ *Resource }

// Change is the one way to change a resource. The function copies what it writes to
// (Own, OwnField) unless it has put it there itself. Inside of it ID reads the nodes
// each time; afterwards the set finds the resource under its new identity. Several
// resources of one set may be changed at a time.
func (r *Resource) Change(change func(*Edit)) {
	before, previous := r.ID(), r.Previous
	r.changing, r.idKnown = true, false
	change(&Edit{r})
	r.changing = false
	if r.member != nil && (r.ID() != before || !sameList(r.Previous, previous)) {
		r.member.outdate(r)
	}
}

// StorePrevious keeps the current identity as a previous one, before a change.
func (e *Edit) StorePrevious() {
	id := e.ID()
	previous := Previous{id.EffectiveNamespace(), id.Name, id.Kind}
	e.Broken = e.Broken || id.Name == "" || id.Kind == "" || previous.HasComma()
	e.Previous = append(slices.Clip(e.Previous), previous)
}

// Become makes the resource what another is that shares its nodes and belongs to no
// set. It stays where it is in its own.
func (e *Edit) Become(other *Resource) {
	e.Node, e.State, e.ownership = other.Node, other.State, other.ownership
	e.id, e.idKnown = other.id, other.idKnown
}

// Put gives the resource other nodes, which are its own. Some may be those that it had,
// so that what stands at several places still does.
func (e *Edit) Put(n *yaml.Node) { e.Node, e.shared, e.lent = n, false, nil }

// Tangle says that one node was put at several places of the resource.
func (e *Edit) Tangle() { e.tangled = true }

// Own makes all nodes the resource's own, so that they can be changed.
func (e *Edit) Own() { e.own() }

// OwnField makes the root and the fields of that name the resource's own, whether
// or not there are any. The nodes of keys stay shared.
func (e *Edit) OwnField(name string) { e.ownField(name) }

// CopyAhead copies a field that is about to be changed, or all of the resource where
// the name is empty. Change needs no such call: it is for who copies many at a time.
func (r *Resource) CopyAhead(name string) {
	if name == "" {
		r.own()
		return
	}
	r.ownField(name)
}

func (r *Resource) own() {
	if !r.shared && len(r.lent) == 0 || r.Node == nil {
		return
	}
	if r.tangled {
		r.Node = syntax.CopyTangled(r.Node)
	} else {
		r.Node = syntax.Copy(r.Node)
	}
	r.shared, r.lent = false, nil
}

func (r *Resource) ownField(name string) {
	if !r.shared && len(r.lent) == 0 || r.Node == nil {
		return
	}
	if r.tangled || r.Node.Kind != yaml.MappingNode {
		r.own()
		return
	}
	if r.shared {
		r.ownRoot()
	}
	for i := 0; i+1 < len(r.Node.Content); i += 2 {
		if r.Node.Content[i].Value != name {
			continue
		}
		value := r.Node.Content[i+1]
		if at := slices.Index(r.lent, value); at >= 0 {
			r.lent = slices.Delete(r.lent, at, at+1)
			r.Node.Content[i+1] = syntax.Copy(value)
		}
	}
}

func (r *Resource) ownRoot() {
	root := *r.Node
	root.Content = slices.Clone(root.Content)
	r.lent = make([]*yaml.Node, 0, len(root.Content)/2)
	for i := 1; i < len(root.Content); i += 2 {
		r.lent = append(r.lent, root.Content[i])
	}
	r.Node, r.shared = &root, false
}
