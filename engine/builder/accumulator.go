package builder

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// accumulator is what a layer hands to the one that includes it: kustomize's
// ResAccumulator.
type accumulator struct {
	set    *resource.Set
	config *kustomization.TransformerConfig // nil before the first merge
	vars   []varEntry
	// unknown is true once something that was not loaded could have added
	// resources here: what is missing from the set is then not known.
	unknown bool
	// emptied is true while the set may hold resources without content.
	emptied bool
	// distinct is true where no two of the resources are known to have the same identity, and scoped where the built-in
	// schema is known to have the scope of each.
	distinct, scoped bool
}

func newAccumulator() *accumulator {
	return &accumulator{set: &resource.Set{}}
}

// varEntry is a var and the layer that defines it.
type varEntry struct {
	kustomization.Var
	layer *Layer
}

// selected returns the resources that a target selects. Where its selectors are
// malformed that is none; they are then reported by reportMalformed.
func (acc *accumulator) selected(m *matcher) []*resource.Resource {
	malformed := m.badLabels != nil || m.badAnnotations != nil
	var found []*resource.Resource
	for _, r := range acc.candidates(m) {
		switch {
		case !m.selectsTargetID(r):
		case malformed:
			m.ask(r)
		case m.selectsMetadata(r):
			found = append(found, r)
		}
	}
	return found
}

// candidates returns the resources that a selector can match at all: those of
// one name or kind where it asks for one literally, else all.
func (acc *accumulator) candidates(m *matcher) []*resource.Resource {
	switch {
	case m.name.literal:
		return acc.set.Named(m.name.text)
	case m.kind.literal:
		return acc.set.OfKind(m.kind.text)
	}
	return acc.set.List()
}

// withLiteralSelector returns the resources of which the current or a previous
// identity has what the selector says (ResId.IsSelectedBy).
func (acc *accumulator) withLiteralSelector(s *kustomization.Selector) []*resource.Resource {
	candidates := acc.set.List()
	switch {
	case s.Name.Value != "":
		candidates = acc.set.Named(s.Name.Value)
	case s.Kind.Value != "":
		candidates = acc.set.OfKind(s.Kind.Value)
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
