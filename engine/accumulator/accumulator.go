// Package accumulator has what the layer of a build hands to the one that includes it: kustomize's ResAccumulator.
package accumulator

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/trace"
)

// Accumulator is what a layer hands to the one that includes it: kustomize's
// ResAccumulator.
type Accumulator struct {
	Set    *resource.Set
	Config *kustomization.TransformerConfig // nil before the first merge
	Vars   []VarEntry
	// Unknown is true once something that was not loaded could have added
	// resources here: what is missing from the set is then not known.
	Unknown bool
	// Emptied is true while the set may hold resources without content.
	Emptied bool
	// distinct is true where no two of the resources are known to have the same identity, and scoped where the built-in
	// schema is known to have the scope of each.
	Distinct, Scoped bool
}

func NewAccumulator() *Accumulator {
	return &Accumulator{Set: &resource.Set{}}
}

// VarEntry is a var and the layer that defines it.
type VarEntry struct {
	kustomization.Var
	Layer *trace.Layer
}

// Selected returns the resources that a target selects. Where its selectors are
// malformed that is none; they are then reported by reportMalformed.
func (acc *Accumulator) Selected(m *selector.Matcher) []*resource.Resource {
	malformed := m.BadLabels != nil || m.BadAnnotations != nil
	var found []*resource.Resource
	for _, r := range acc.Candidates(m) {
		switch {
		case !m.SelectsTargetID(r):
		case malformed:
			m.Ask(r)
		case m.SelectsMetadata(r):
			found = append(found, r)
		}
	}
	return found
}

// Candidates returns the resources that a selector can match at all: those of
// one name or kind where it asks for one literally, else all.
func (acc *Accumulator) Candidates(m *selector.Matcher) []*resource.Resource {
	switch {
	case m.Name.Literal:
		return acc.Set.Named(m.Name.Text)
	case m.Kind.Literal:
		return acc.Set.OfKind(m.Kind.Text)
	}
	return acc.Set.List()
}

// WithLiteralSelector returns the resources of which the current or a previous
// identity has what the selector says (ResId.IsSelectedBy).
func (acc *Accumulator) WithLiteralSelector(s *kustomization.Selector) []*resource.Resource {
	candidates := acc.Set.List()
	switch {
	case s.Name.Value != "":
		candidates = acc.Set.Named(s.Name.Value)
	case s.Kind.Value != "":
		candidates = acc.Set.OfKind(s.Kind.Value)
	}
	var found []*resource.Resource
	for _, r := range candidates {
		if r.AnyID(func(id resource.ID) bool { return selectedBy(id, s) }) {
			found = append(found, r)
		}
	}
	return found
}

func selectedBy(id resource.ID, s *kustomization.Selector) bool {
	id.ClusterScoped = false
	wanted := resource.ID{Namespace: s.Namespace.Value}
	return (s.Name.Value == "" || s.Name.Value == id.Name) &&
		(s.Namespace.Value == "" || wanted.EffectiveNamespace() == id.EffectiveNamespace()) &&
		id.IsSelected(s.Group.Value, s.Version.Value, s.Kind.Value)
}
