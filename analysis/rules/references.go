package rules

import (
	"iter"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

// reference is a field of a rendered resource that holds the name of another.
type reference struct {
	from *resource.Resource
	// kind is that of the resource that is referred to.
	kind string
	node *yaml.Node
	// around is the mapping that the name is in.
	around *yaml.Node
}

// referencesIn yields the names of config maps, secrets, service accounts, claims,
// services, roles, workloads and classes in the fields where kustomize knows them,
// and what custom resources surely name.
func referencesIn(p *analysis.Pass) iter.Seq[reference] {
	byKind := map[[3]string][]nameField{}
	fieldsOf := func(id resource.ID) []nameField {
		key := [3]string{id.Group, id.Version, id.Kind}
		fields, ok := byKind[key]
		if !ok {
			fields = nameFieldsOf(id)
			byKind[key] = fields
		}
		return fields
	}
	type namesIn struct{}
	return func(yield func(reference) bool) {
		for _, r := range p.Result.Resources {
			for _, name := range r.Note(namesIn{}, func() any { return collected(r, fieldsOf(r.ID())) }).([]foundName) {
				if !yield(reference{r, name.kind, name.node, name.around}) {
					return
				}
			}
		}
	}
}

// foundName is a name in a resource and the kind of what has it.
type foundName struct {
	kind         string
	node, around *yaml.Node
}

func collected(r *resource.Resource, fields []nameField) []foundName {
	var found []foundName
	for _, f := range fields {
		collect(f, r.Node, nil, f.path, &found)
	}
	if isCustom(r.ID()) {
		collectTyped(r.Node, r.Node, "", &found)
	}
	return found
}

// collectTyped finds what in custom resources can only be the name of something: a
// name beside a kind, and one in a field that is called after the kind.
func collectTyped(root, n *yaml.Node, key string, found *[]foundName) {
	if n.Kind == yaml.MappingNode && n != root {
		name, node := syntax.TextAt(n, "name")
		kind, _ := syntax.TextAt(n, "kind")
		if said := kindOfField[key]; kind == "" && said != "" {
			kind = said
		}
		if name != "" && kind != "" && syntax.FieldAt(n, "spec") == nil && !schema.HoldsTemplate(name) && fits(kind, n) {
			*found = append(*found, foundName{kind, node, n})
		}
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue
			}
			key = n.Content[i-1].Value
		}
		collectTyped(root, child, key, found)
	}
}

// kindOfField is the kind of what is named in the mapping of a field.
var kindOfField = map[string]string{
	"configMap": "ConfigMap", "configMapRef": "ConfigMap", "configMapKeyRef": "ConfigMap",
	"secretRef": "Secret", "secretKeyRef": "Secret",
}

// nameField is a path to a name, and the kind of what has it.
type nameField struct {
	kind string
	path []string
}

var referredKinds = map[string]bool{
	"ConfigMap": true, "Secret": true, "ServiceAccount": true, "PersistentVolumeClaim": true,
	"Service": true, "Role": true, "ClusterRole": true,
	"Deployment": true, "StatefulSet": true, "ReplicaSet": true,
	"StorageClass": true, "PriorityClass": true, "IngressClass": true,
}

func nameFieldsOf(id resource.ID) []nameField {
	var fields []nameField
	for _, target := range kustomization.DefaultTransformerConfig().NameReference {
		if !referredKinds[target.Kind] {
			continue
		}
		for _, spec := range target.FieldSpecs {
			if id.IsSelected(spec.Group, spec.Version, spec.Kind) {
				fields = append(fields, nameField{target.Kind, strings.Split(spec.Path, "/")})
			}
		}
	}
	for _, known := range otherNameFields {
		if id.Group == known.group && id.Kind == known.of {
			fields = append(fields, known.nameField)
		}
	}
	return fields
}

// otherNameFields are names in kinds of Kubernetes that kustomize does not rewrite.
var otherNameFields = []struct {
	group, of string
	nameField
}{
	{"apiextensions.k8s.io", "CustomResourceDefinition",
		nameField{"Service", []string{"spec", "conversion", "webhook", "clientConfig", "service", "name"}}},
	{"gateway.networking.k8s.io", "Gateway", nameField{"GatewayClass", []string{"spec", "gatewayClassName"}}},
}

// collect walks a path through lists; parent is the mapping that the name is in.
func collect(f nameField, n, parent *yaml.Node, path []string, found *[]foundName) {
	switch {
	case n == nil:
	case n.Kind == yaml.SequenceNode:
		for _, element := range n.Content {
			collect(f, element, parent, path, found)
		}
	case len(path) > 0:
		_, value := syntax.Field(n, strings.TrimSuffix(path[0], "[]"))
		collect(f, value, n, path[1:], found)
	case n.Kind == yaml.MappingNode:
		if _, name := syntax.Field(n, "name"); name != nil {
			collect(f, name, n, nil, found)
		}
	case n.Value != "" && n.Tag != "!!null" && fits(f.kind, parent):
		*found = append(*found, foundName{f.kind, n, parent})
	}
}

// fits tells whether the mapping around a name says that the name is of a kind,
// where it says so at all, and that what it names must exist.
func fits(kind string, around *yaml.Node) bool {
	if _, optional := syntax.Field(around, "optional"); optional != nil && optional.Value == "true" {
		return false
	}
	_, said := syntax.Field(around, "kind")
	if kind == "Deployment" || kind == "StatefulSet" || kind == "ReplicaSet" {
		return said != nil && said.Value == kind // anything may be scaled
	}
	if said == nil || kind != "Role" && kind != "ClusterRole" && kind != "ServiceAccount" {
		return true
	}
	return said.Value == kind || said.Kind != yaml.ScalarNode || !referredKinds[said.Value] && said.Value != "User" && said.Value != "Group"
}
