package builder

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// nameIndex knows the resources of a build, by their index in its list, by the names
// that they have and had. It is good for all builds with the same names.
type nameIndex struct {
	identities []*identity
	// before are those that had a name before the last one, current those that have it.
	before, current map[string]*candidates
	namespaces      map[string]bool // those that resources came from
	// generation changes with all else that is seen of the resources.
	generation int
	used       int // the last build
	// originals are those of Result.Originals.
	originals func() [][2]string
}

// candidates are the resources that had one name, in order; once they are many
// also by current namespace.
type candidates struct {
	all         []int32
	byNamespace map[string][]int32
}

// newNameIndex makes the index of resources; identities are theirs, nil where the index
// is not kept.
func newNameIndex(list []*resource.Resource, identities []*identity) *nameIndex {
	x := &nameIndex{identities: identities, before: make(map[string]*candidates, len(list)), namespaces: map[string]bool{}}
	for i, r := range list {
		for _, p := range r.Previous {
			enterCandidate(x.before, p.Name, int32(i))
		}
		x.namespaces[r.OriginalID().EffectiveNamespace()] = true
	}
	return x
}

// namesOf returns the index of the resources, from an earlier build where their names
// are the same.
func (s *layerSteps) namesOf(list []*resource.Resource) *nameIndex {
	named := s.name(list)
	for _, known := range s.names {
		if slices.EqualFunc(named, known.identities, (*identity).sameNames) {
			if !slices.EqualFunc(named, known.identities, (*identity).equal) {
				known.generation = s.build
			}
			known.identities, known.used = named, s.build
			return known
		}
	}
	x := newNameIndex(list, named)
	x.currentNames(list)
	x.used = s.build
	x.originals = parallel.OnceValue(func() [][2]string {
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

// currentNames are the candidates by the names that they have in the end.
func (x *nameIndex) currentNames(list []*resource.Resource) map[string]*candidates {
	if x.current == nil {
		x.current = make(map[string]*candidates, len(list))
		for i, r := range list {
			enterCandidate(x.current, r.ID().Name, int32(i))
		}
	}
	return x.current
}

func enterCandidate(index map[string]*candidates, name string, at int32) {
	c := index[name]
	if c == nil {
		c = &candidates{}
		index[name] = c
	}
	if n := len(c.all); n == 0 || c.all[n-1] != at {
		c.all = append(c.all, at)
	}
}

// fewCandidates is the number up to which a list is looked through as it is.
const fewCandidates = 16

// near returns the candidates of a name that a resource in the namespace could
// refer to without naming another namespace, and maybe others.
func (c *candidates) near(id resource.ID, list []*resource.Resource) []int32 {
	if len(c.all) <= fewCandidates || id.ClusterScoped {
		return c.all
	}
	if c.byNamespace == nil {
		c.byNamespace = map[string][]int32{}
		for _, i := range c.all {
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
