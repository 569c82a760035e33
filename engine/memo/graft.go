package memo

import (
	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
)

// graft copies the part of a trace that belongs to a layer from one build to
// another: resources, layers, and whatever points to them. Nodes are shared.
type graft struct {
	from, Resources []*resource.Resource                      // the copies are in resources
	of              map[*resource.Resource]*resource.Resource // made when it is asked for
	Layers          map[*trace.Layer]*trace.Layer
}

// NewGraft copies the resources. The schema is that of the build that they go to,
// nil for none.
func NewGraft(resources []*resource.Resource, schema *kubernetes.Schema) *graft {
	t := &graft{
		from:      resources,
		Resources: make([]*resource.Resource, len(resources)),
		Layers:    map[*trace.Layer]*trace.Layer{},
	}
	copies := make([]resource.Resource, len(resources))
	parallel.ForEach(len(resources), func(i int) {
		resources[i].CopyShared(&copies[i])
		if schema != nil {
			copies[i].Schema = schema
		}
		t.Resources[i] = &copies[i]
	})
	return t
}

// resource returns the copy of a resource; one that is no more in the build stays
// what it is.
func (t *graft) resource(r *resource.Resource) *resource.Resource {
	if r == nil {
		return nil
	}
	if t.of == nil {
		t.of = make(map[*resource.Resource]*resource.Resource, len(t.from))
		for i, from := range t.from {
			t.of[from] = t.Resources[i]
		}
	}
	if c, ok := t.of[r]; ok {
		return c
	}
	r.ID() // known from now on: several builds read it
	return r
}

func (t *graft) list(resources []*resource.Resource) []*resource.Resource {
	if resources == nil {
		return nil
	}
	copies := make([]*resource.Resource, len(resources))
	for i, r := range resources {
		copies[i] = t.resource(r)
	}
	return copies
}

// Layer copies a layer and those below it.
func (t *graft) Layer(from, parent *trace.Layer) *trace.Layer {
	to := *from
	to.Parent = parent
	t.Into(&to, from)
	return &to
}

// Into gives a layer what another one came to.
func (t *graft) Into(to, from *trace.Layer) {
	t.Layers[from] = to
	to.Facts = from.Facts
	f := &to.Facts
	f.Used = nil
	f.Included = mapped(f.Included, func(i *trace.Included) {
		if i.Layer != nil {
			i.Layer = t.Layer(i.Layer, to)
		}
	})
	f.Patches = mapped(f.Patches, func(p *trace.PatchFact) { p.Targets = t.list(p.Targets) })
	f.Replacements = mapped(f.Replacements, func(r *trace.ReplacementFact) {
		r.Source, r.Targets = t.resource(r.Source), t.list(r.Targets)
		r.Selected = mapped(r.Selected, func(s *[]*resource.Resource) { *s = t.list(*s) })
		r.Rejected = mapped(r.Rejected, func(x *trace.Rejection) { x.Resource = t.resource(x.Resource) })
	})
	f.Images = mapped(f.Images, func(i *trace.ImageFact) { i.Resources = t.list(i.Resources) })
	f.Replicas = mapped(f.Replicas, func(r *trace.ReplicaFact) { r.Targets = t.list(r.Targets) })
	f.Generators = mapped(f.Generators, func(g *trace.GeneratorFact) { g.Made, g.Base = t.resource(g.Made), t.resource(g.Base) })
	f.Vars = mapped(f.Vars, func(v *trace.VarFact) { v.Source = t.resource(v.Source) })
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

func (t *graft) Problems(list []problem.Problem) []problem.Problem {
	return mapped(list, func(p *problem.Problem) {
		if to, ok := t.Layers[p.Layer]; ok {
			p.Layer = to
		}
	})
}

func (t *graft) Vars(list []accumulator.VarEntry) []accumulator.VarEntry {
	return mapped(list, func(v *accumulator.VarEntry) {
		if to, ok := t.Layers[v.Layer]; ok {
			v.Layer = to
		}
	})
}
