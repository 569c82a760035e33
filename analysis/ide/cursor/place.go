package cursor

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

// Place is where something stands among the fields of a kustomization, or of a file that
// it reads. The zero value is nowhere; Place{Object: fields} is the root.
type Place struct {
	// Field is the innermost field, nil at the root. Item is true for an item of it where
	// it is a list.
	Field *kustomization.Field
	Item  bool
	// Object is what is known of the mapping there, nil for none.
	Object *kustomization.Struct
	// Owner is where the mapping stands that has the field; nil at the root.
	Owner *Place
}

// Enter goes one step deeper; false where nothing is known of what is there.
func (p Place) Enter(step syntax.Step) (Place, bool) {
	if step.Key == nil {
		p.Item = true
		return p, p.Field == nil || p.Field.Type == kustomization.TypeList
	}
	if p.Object == nil {
		return p, p.Field != nil && (p.Field.Type == kustomization.TypeTextMap || p.Field.Type == kustomization.TypeFree)
	}
	f, _ := p.Object.Field(step.Key.Value)
	if f == nil {
		return p, false
	}
	return Place{Field: f, Object: f.Struct, Owner: &p}, true
}

// EnterAll goes all steps.
func (p Place) EnterAll(steps []syntax.Step) (Place, bool) {
	for _, step := range steps {
		var known bool
		if p, known = p.Enter(step); !known {
			return p, false
		}
	}
	return p, true
}

// In returns the name of the kustomization.Struct that has the field; empty at the root.
func (p Place) In() string {
	if p.Owner == nil || p.Owner.Object == nil {
		return ""
	}
	return p.Owner.Object.Name
}

// Named tells whether the field has one of the names.
func (p Place) Named(names ...string) bool {
	return p.Field != nil && slices.Contains(names, p.Field.Name)
}

// IsObject tells whether a mapping of known fields stands there.
func (p Place) IsObject() bool {
	switch {
	case p.Object == nil:
		return false
	case p.Field == nil, p.Item:
		return true
	}
	return p.Field.Type == kustomization.TypeObject || p.Field.Type == kustomization.TypeTextMap
}

// IsScalar tells whether a single value stands there.
func (p Place) IsScalar() bool {
	if p.Field == nil {
		return false
	}
	switch p.Field.Type {
	case kustomization.TypeList:
		return p.Item && p.Field.Element == kustomization.TypeText
	case kustomization.TypeObject, kustomization.TypeTextMap, kustomization.TypeFree:
		return false
	}
	return true
}
