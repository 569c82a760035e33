package resource

import (
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

// Nodes are copied on write: a resource that was read has the very nodes of the file,
// and what one build hands to another is not copied. Edit copies what a change is
// about to write to.

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
	to.entered, to.member, to.Notes, to.Form = entered{}, nil, nil, nil
}

// Shares tells whether the nodes all are as they were at the last Share, so that
// the node stays as it is whatever becomes of the resource.
func (r *Resource) Shares() bool { return r.shared }

// Tangled tells whether nodes may stand at several places of the resource, so that a
// change of one shows in all.
func (r *Resource) Tangled() bool { return r.tangled }

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
