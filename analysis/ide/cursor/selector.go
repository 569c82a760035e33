package cursor

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// SelectorOf reads a selector from a mapping, without one of its fields.
func SelectorOf(mapping *yaml.Node, except string) *kustomization.Selector {
	s := &kustomization.Selector{Node: mapping}
	read := func(name string, at *kustomization.Text) {
		if name != except {
			at.Value = syntax.FieldText(mapping, name)
		}
	}
	read("group", &s.Group)
	read("version", &s.Version)
	read("kind", &s.Kind)
	read("name", &s.Name)
	read("namespace", &s.Namespace)
	read("labelSelector", &s.LabelSelector)
	read("annotationSelector", &s.AnnotationSelector)
	if s.Group.Value == "" && s.Version.Value == "" && except != "apiVersion" {
		s.Group.Value, s.Version.Value = GroupVersionOf(syntax.FieldText(mapping, "apiVersion"))
	}
	return s
}

func GroupVersionOf(apiVersion string) (group, version string) {
	if apiVersion == "" {
		return "", ""
	}
	return resource.SplitAPIVersion(apiVersion)
}
