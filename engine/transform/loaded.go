package transform

import (
	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Moment is a point in the building of a layer.
type Moment int

const (
	// BeforeGenerators is when the resources of the layer are loaded.
	BeforeGenerators Moment = iota
	// BeforeTransformers is when those of generators and components are there, too,
	// and the files of patches were read: what patches and the like select from.
	BeforeTransformers
	// BeforeReplacements is when only replacements and external transformers are
	// to come.
	BeforeReplacements
)

// Loaded is what is loaded at a moment of a layer. It may be asked while the observer
// that it was handed to runs, and for as long as one likes where that cancelled the
// build; one question at a time. What it returns must not be changed.
type Loaded struct {
	Layer *trace.Layer
	B     *Transformer
	Acc   *accumulator.Accumulator
}

// Reads is what the build of the root looked at so far; nil for another layer.
func (x *Loaded) Reads() *vfs.Reads {
	if x.Layer.Parent != nil {
		return nil
	}
	return x.B.Files.Reads()
}

// Resources returns all resources, in order.
func (x *Loaded) Resources() []*resource.Resource { return x.Acc.Set.List() }

// Selected returns what the target of a patch selects; nothing for a selector that
// kustomize refuses.
func (x *Loaded) Selected(s *kustomization.Selector) []*resource.Resource {
	m, problems := selector.NewMatcher(s)
	if len(problems) > 0 || len(m.Malformed()) > 0 {
		return nil
	}
	return x.Acc.Selected(m)
}

// Sources returns what the source of a replacement matches.
func (x *Loaded) Sources(s *kustomization.Selector) []*resource.Resource {
	return x.Acc.WithLiteralSelector(s)
}

// Targets returns what the target of a replacement selects and does not reject.
func (x *Loaded) Targets(t *kustomization.ReplacementTarget) []*resource.Resource {
	m, problems := selector.NewMatcher(t.Select)
	selection := targetMatcher{selects: m}
	for _, reject := range t.Reject {
		r, more := selector.NewMatcher(reject)
		problems, selection.rejects = append(problems, more...), append(selection.rejects, r)
		problems = append(problems, r.Malformed()...)
	}
	if len(problems)+len(m.Malformed()) > 0 {
		return nil
	}
	var targets []*resource.Resource
	for _, r := range x.Acc.Candidates(m) {
		if selected, _ := selection.decide(r); selected {
			targets = append(targets, r)
		}
	}
	return targets
}

// Named returns the resources that a strategic merge patch without a target could
// be for, by its kind, apiVersion, name and namespace.
func (x *Loaded) Named(patch *yaml.Node) []*resource.Resource {
	return x.Acc.Set.WithAny(load.NewResource(patch, nil).OriginalID())
}

// Images returns each distinct image of the resources, sorted.
func (x *Loaded) Images() []string {
	specs := newSpecs(x.Acc.Config.Images)
	values := map[string]bool{}
	for _, r := range x.Acc.Set.List() {
		if r.ID().Kind == "CustomResourceDefinition" {
			continue
		}
		for _, s := range imagesIn(r, specs.of(r.ID()), false).sites {
			values[s.node.Value] = true
		}
	}
	return sortedKeys(values)
}

// Scalable returns the resources whose number of replicas can be set.
func (x *Loaded) Scalable() []*resource.Resource {
	specs := compile(x.Acc.Config.Replicas)
	var found []*resource.Resource
	for _, r := range x.Acc.Set.List() {
		for _, spec := range specs {
			if !r.Empty() && r.ID().IsSelected(spec.Group, spec.Version, spec.Kind) {
				found = append(found, r)
				break
			}
		}
	}
	return found
}
