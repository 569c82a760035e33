package resource

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Nodes are shared as long as nobody changes them: a resource that was read has
// the very nodes of the file, and what one build hands to another is not copied.
// Whoever is about to change a resource makes the part his own before.

// ownership says which nodes of a resource others hold too. Its zero value: none.
type ownership struct {
	// shared is true where the root is not the resource's own.
	shared bool
	// lent are the values of the root's fields that are not, where the root is.
	lent []*yaml.Node
	// tangled is true once nodes stand at several places of the resource, so that a
	// change of one shows in all: it can be copied as a whole only.
	tangled bool
}

// Share marks all nodes as held by others, too: they are not changed any more.
func (r *Resource) Share() { r.shared, r.lent = true, nil }

// CopyShared makes another resource the same as this one and a member of no set. The
// nodes are shared from then on.
func (r *Resource) CopyShared(to *Resource) {
	if !r.shared {
		r.Share()
	}
	r.ID() // known from now on: who has a resource for reading must not write to it
	*to = *r
	to.RefVars = slices.Clip(r.RefVars)
	to.Previous, to.Prefixes, to.Suffixes = slices.Clip(r.Previous), slices.Clip(r.Prefixes), slices.Clip(r.Suffixes)
	to.places, to.member, to.Notes, to.Form = nil, nil, nil, nil
}

// Become makes the resource what another is that shares its nodes and belongs to no
// set. It stays where it is in its own, whose index is not brought up to date.
func (r *Resource) Become(other *Resource) {
	r.Node, r.State, r.ownership = other.Node, other.State, other.ownership
	r.id, r.idKnown = other.id, other.idKnown
}

// Shares tells whether the nodes all are as they were at the last Share, so that
// the node stays as it is whatever becomes of the resource.
func (r *Resource) Shares() bool { return r.shared }

// Tangle notes that one node was put at several places of the resource.
func (r *Resource) Tangle() { r.tangled = true }

// Put gives the resource other nodes, which are its own. Some may be those that it had,
// so that what stands at several places still does.
func (r *Resource) Put(n *yaml.Node) { r.Node, r.shared, r.lent = n, false, nil }

// Own makes all nodes the resource's own, so that they can be changed.
func (r *Resource) Own() {
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

// OwnsField tells whether the root and all fields of that name are the resource's own.
func (r *Resource) OwnsField(name string) bool {
	if r.shared || r.Node == nil {
		return r.Node == nil
	}
	for i := 0; i+1 < len(r.Node.Content) && len(r.lent) > 0; i += 2 {
		if r.Node.Content[i].Value == name && slices.Contains(r.lent, r.Node.Content[i+1]) {
			return false
		}
	}
	return true
}

// OwnField makes the root and the fields of that name the resource's own, whether
// or not there are any. The nodes of keys stay shared.
func (r *Resource) OwnField(name string) {
	if !r.shared && len(r.lent) == 0 || r.Node == nil {
		return
	}
	if r.tangled || r.Node.Kind != yaml.MappingNode {
		r.Own()
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
