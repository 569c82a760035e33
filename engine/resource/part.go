package resource

import (
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// part is a large value of a field that resources of several builds have in common: overlays change the metadata of a
// custom resource definition, and its schema is one and the same in all of them.
type part struct {
	field string
	value *yaml.Node
	notes Notes
}

// smallestPart is how many nodes a value has for which asking once is worth remembering the answer.
const smallestPart = 64

// RememberParts makes what KnownOfPart finds out about the large values of the resource's fields known to all resources
// that are copied from it and still have the very nodes. They must be shared.
func (r *Resource) RememberParts() {
	if r.Node == nil || r.Node.Kind != yaml.MappingNode {
		return
	}
	var parts []*part
	for i := 0; i+1 < len(r.Node.Content); i += 2 {
		field, value := r.Node.Content[i].Value, r.Node.Content[i+1]
		if nodesUpTo(value, smallestPart) < smallestPart {
			continue
		}
		known := r.part(value)
		if known == nil {
			known = &part{field: field, value: value}
		}
		parts = append(parts, known)
	}
	r.parts = parts
}

// ReuseParts takes the nodes of the large values that the resource was copied with wherever it still has the same, places
// included: a patch copies all that it might change. The nodes are shared from then on.
func (r *Resource) ReuseParts() {
	if r.Node == nil || r.Node.Kind != yaml.MappingNode || r.tangled || !r.lostPart() {
		return
	}
	root := *r.Node
	root.Content = make([]*yaml.Node, len(r.Node.Content))
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := r.Node.Content[i], r.Node.Content[i+1]
		var old *yaml.Node
		for _, p := range r.parts {
			if p.field == key.Value {
				old = p.value
			}
		}
		root.Content[i], root.Content[i+1] = syntax.Copy(key), syntax.Reuse(old, value)
	}
	r.Node = &root
	r.Share()
}

// lostPart tells whether a field with a large value has other nodes now.
func (r *Resource) lostPart() bool {
	for _, p := range r.parts {
		if _, value := syntax.Field(r.Node, p.field); value != nil && value != p.value {
			return true
		}
	}
	return false
}

// KnownOfPart returns what find says of the value of a field of the resource, or what it said of the very nodes before.
// It must look at nothing else. about tells the answers of different functions apart; it is compared with ==.
func (r *Resource) KnownOfPart(value *yaml.Node, about any, find func() bool) bool {
	p := r.part(value)
	if p == nil {
		return find()
	}
	if says, ok := p.notes.get(about); ok {
		return says.(bool)
	}
	says := find()
	p.notes.add(about, says)
	return says
}

// HasPart tells whether answers about the value are remembered.
func (r *Resource) HasPart(value *yaml.Node) bool { return r.part(value) != nil }

func (r *Resource) part(value *yaml.Node) *part {
	for _, p := range r.parts {
		if p.value == value {
			return p
		}
	}
	return nil
}

// nodesUpTo counts the nodes of a tree, and stops at a limit.
func nodesUpTo(n *yaml.Node, limit int) int {
	count := 1
	for _, child := range n.Content {
		if count >= limit {
			break
		}
		if child != nil {
			count += nodesUpTo(child, limit-count)
		}
	}
	return count
}
