package cursor

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// SelectorOf reads a selector from a mapping, without one of its fields and without what
// somebody is typing.
func SelectorOf(mapping *yaml.Node, except string) *kustomization.Selector {
	s := kustomization.ReadSelector(mapping)
	if s.Group.Value == "" && s.Version.Value == "" && except != "apiVersion" {
		s.Group.Value, s.Version.Value = resource.SplitAPIVersion(syntax.FieldText(mapping, "apiVersion"))
	}
	for name, field := range map[string]*kustomization.Text{"group": &s.Group, "version": &s.Version, "kind": &s.Kind, "name": &s.Name,
		"namespace": &s.Namespace, "labelSelector": &s.LabelSelector, "annotationSelector": &s.AnnotationSelector} {
		if name == except || field.Value == syntax.StandIn {
			field.Value = ""
		}
	}
	return s
}
