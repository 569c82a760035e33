package memo

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// NameIndex knows the resources of a build, by their index in its list, by the names
// that they have and had. It is good for all builds with the same names.
type NameIndex struct {
	Identities []*Identity
	// before are those that had a name before the last one, current those that have it.
	Before, Current map[string]*Candidates
	Namespaces      map[string]bool // those that resources came from
	// Generation changes with all else that is seen of the resources.
	Generation int
	used       int // the last build
	// Originals are those of Result.Originals.
	Originals func() [][2]string
}

// Candidates are the resources that had one name, in order; once they are many
// also by current namespace.
type Candidates struct {
	All         []int32
	byNamespace map[string][]int32
}

// NewNameIndex makes the index of resources; identities are theirs, nil where the index
// is not kept.
func NewNameIndex(list []*resource.Resource, identities []*Identity) *NameIndex {
	x := &NameIndex{Identities: identities, Before: make(map[string]*Candidates, len(list)), Namespaces: map[string]bool{}}
	for i, r := range list {
		for _, p := range r.Previous {
			enterCandidate(x.Before, p.Name, int32(i))
		}
		x.Namespaces[r.OriginalID().EffectiveNamespace()] = true
	}
	return x
}

// NamesOf returns the index of the resources, from an earlier build where their names
// are the same.
func (s *LayerSteps) NamesOf(list []*resource.Resource) *NameIndex {
	named := s.name(list)
	for _, known := range s.names {
		if slices.EqualFunc(named, known.Identities, (*Identity).sameNames) {
			if !slices.EqualFunc(named, known.Identities, (*Identity).Equal) {
				known.Generation = s.Build
			}
			known.Identities, known.used = named, s.Build
			return known
		}
	}
	x := NewNameIndex(list, named)
	x.CurrentNames(list)
	x.used = s.Build
	x.Originals = parallel.OnceValue(func() [][2]string {
		originals := make([][2]string, len(named))
		for i, known := range named {
			originals[i] = [2]string{known.id.Kind, known.id.Name}
			if len(known.previous) > 0 {
				originals[i] = [2]string{known.previous[0].Kind, known.previous[0].Name}
			}
		}
		return originals
	})
	if s.names = append(s.names, x); len(s.names) > maxIndexes {
		s.names = slices.Delete(s.names, 0, 1)
	}
	return x
}

// maxIndexes is of how many sets of names an index is kept: who edits goes back and
// forth.
const maxIndexes = 2

// CurrentNames are the candidates by the names that they have in the end.
func (x *NameIndex) CurrentNames(list []*resource.Resource) map[string]*Candidates {
	if x.Current == nil {
		x.Current = make(map[string]*Candidates, len(list))
		for i, r := range list {
			enterCandidate(x.Current, r.ID().Name, int32(i))
		}
	}
	return x.Current
}

func enterCandidate(index map[string]*Candidates, name string, at int32) {
	c := index[name]
	if c == nil {
		c = &Candidates{}
		index[name] = c
	}
	if n := len(c.All); n == 0 || c.All[n-1] != at {
		c.All = append(c.All, at)
	}
}

// fewCandidates is the number up to which a list is looked through as it is.
const fewCandidates = 16

// Near returns the candidates of a name that a resource in the namespace could
// refer to without naming another namespace, and maybe others.
func (c *Candidates) Near(id resource.ID, list []*resource.Resource) []int32 {
	if len(c.All) <= fewCandidates || id.ClusterScoped {
		return c.All
	}
	if c.byNamespace == nil {
		c.byNamespace = map[string][]int32{}
		for _, i := range c.All {
			ns := list[i].ID().EffectiveNamespace()
			c.byNamespace[ns] = append(c.byNamespace[ns], i)
		}
	}
	own, global := c.byNamespace[id.EffectiveNamespace()], c.byNamespace[resource.NoNamespace]
	if len(global) == 0 {
		return own
	}
	merged := slices.Concat(own, global)
	slices.Sort(merged)
	return merged
}
