package edit

import (
	"reflect"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	yaml "go.yaml.in/yaml/v3"
)

// same tells whether two kustomizations say the same, wherever it is written.
func same(a, b *kustomization.Kustomization) bool {
	x, y := *a, *b
	x.FirstBase, y.FirstBase = 0, 0 // where the entries of bases begin has no effect
	return equalValues(reflect.ValueOf(x), reflect.ValueOf(y))
}

// nodeType is the type of what tells where something is written; only of inline
// values of charts does it also tell what.
var nodeType = reflect.TypeFor[*yaml.Node]()

func equalValues(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			switch {
			case !f.IsExported():
			case f.Type == nodeType && f.Name != "ValuesInline":
			case f.Type == nodeType:
				x, _ := a.Field(i).Interface().(*yaml.Node)
				y, _ := b.Field(i).Interface().(*yaml.Node)
				if !equal.Trees(x, y) {
					return false
				}
			case !equalValues(a.Field(i), b.Field(i)):
				return false
			}
		}
		return true
	case reflect.Slice:
		// An empty list is the same as none: to kustomize a file with one is just not empty.
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalValues(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equalValues(a.Elem(), b.Elem())
	}
	return a.Equal(b)
}
