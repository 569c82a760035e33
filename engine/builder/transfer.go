package builder

import (
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// transfer copies the part of a trace that belongs to a layer from one build to
// another: resources, layers, and whatever points to them. Nodes are shared.
type transfer struct {
	from, resources []*resource.Resource                      // the copies are in resources
	of              map[*resource.Resource]*resource.Resource // made when it is asked for
	layers          map[*Layer]*Layer
}

// newTransfer copies the resources. The schema is that of the build that they go to,
// nil for none.
func newTransfer(resources []*resource.Resource, schema *kubernetes.Schema) *transfer {
	t := &transfer{
		from:      resources,
		resources: make([]*resource.Resource, len(resources)),
		layers:    map[*Layer]*Layer{},
	}
	copies := make([]resource.Resource, len(resources))
	onAllCores(len(resources), func(i int) {
		resources[i].CopyShared(&copies[i])
		if schema != nil {
			copies[i].Schema = schema
		}
		t.resources[i] = &copies[i]
	})
	return t
}

// resource returns the copy of a resource; one that is no more in the build stays
// what it is.
func (t *transfer) resource(r *resource.Resource) *resource.Resource {
	if r == nil {
		return nil
	}
	if t.of == nil {
		t.of = make(map[*resource.Resource]*resource.Resource, len(t.from))
		for i, from := range t.from {
			t.of[from] = t.resources[i]
		}
	}
	if c, ok := t.of[r]; ok {
		return c
	}
	r.ID() // known from now on: several builds read it
	return r
}

func (t *transfer) list(resources []*resource.Resource) []*resource.Resource {
	if resources == nil {
		return nil
	}
	copies := make([]*resource.Resource, len(resources))
	for i, r := range resources {
		copies[i] = t.resource(r)
	}
	return copies
}

// layer copies a layer and those below it.
func (t *transfer) layer(from, parent *Layer) *Layer {
	to := *from
	to.Parent = parent
	t.into(&to, from)
	return &to
}

// into gives a layer what another one came to.
func (t *transfer) into(to, from *Layer) {
	t.layers[from] = to
	to.Facts = from.Facts
	f := &to.Facts
	f.used = nil
	f.Included = mapped(f.Included, func(i *Included) {
		if i.Layer != nil {
			i.Layer = t.layer(i.Layer, to)
		}
	})
	f.Patches = mapped(f.Patches, func(p *PatchFact) { p.Targets = t.list(p.Targets) })
	f.Replacements = mapped(f.Replacements, func(r *ReplacementFact) {
		r.Source, r.Targets = t.resource(r.Source), t.list(r.Targets)
		r.Selected = mapped(r.Selected, func(s *[]*resource.Resource) { *s = t.list(*s) })
		r.Rejected = mapped(r.Rejected, func(x *Rejection) { x.Resource = t.resource(x.Resource) })
	})
	f.Images = mapped(f.Images, func(i *ImageFact) { i.Resources = t.list(i.Resources) })
	f.Replicas = mapped(f.Replicas, func(r *ReplicaFact) { r.Targets = t.list(r.Targets) })
	f.Generators = mapped(f.Generators, func(g *GeneratorFact) { g.Made, g.Base = t.resource(g.Made), t.resource(g.Base) })
	f.Vars = mapped(f.Vars, func(v *VarFact) { v.Source = t.resource(v.Source) })
}

// mapped returns a copy of a list in which each element was changed.
func mapped[T any](list []T, change func(*T)) []T {
	if list == nil {
		return nil
	}
	copies := make([]T, len(list))
	copy(copies, list)
	for i := range copies {
		change(&copies[i])
	}
	return copies
}

func (t *transfer) problems(list []Problem) []Problem {
	return mapped(list, func(p *Problem) {
		if to, ok := t.layers[p.Layer]; ok {
			p.Layer = to
		}
	})
}

func (t *transfer) vars(list []varEntry) []varEntry {
	return mapped(list, func(v *varEntry) {
		if to, ok := t.layers[v.layer]; ok {
			v.layer = to
		}
	})
}
