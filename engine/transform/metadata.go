package transform

import (
	"slices"
	"sort"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/patch"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

const (
	originAnnotation          = "config.kubernetes.io/origin"
	transformationsAnnotation = "alpha.config.kubernetes.io/transformations"
)

// stringNode returns a string scalar with the text and the place of a node
// (kyaml's NewStringRNode of its Value).
func stringNode(n *yaml.Node) *yaml.Node {
	s := &yaml.Node{Kind: yaml.ScalarNode}
	s.SetString(n.Value)
	syntax.CopyPlace(s, n)
	return quoted(s)
}

// namesAnnotations tells whether an operation speaks of the annotations as a whole.
func namesAnnotations(operations []patch.Operation) bool {
	return slices.ContainsFunc(operations, func(o patch.Operation) bool {
		return isAnnotations(o.Path) || o.HasFrom && isAnnotations(o.From)
	})
}

func isAnnotations(pointer string) bool {
	return pointer == "" || pointer == "/metadata" || pointer == "/metadata/annotations"
}

// showInternal writes a resource's state into its annotations, where a patch that
// takes them as a whole finds it. The function that it returns takes it out again:
// the origin is lost with the annotations, the rest is not (transformJson6902).
func showInternal(r *resource.Edit) (restore func()) {
	known, texts := originsByText(r.Resource), newOriginTexts()
	writeInternal(r, r.State)
	texts.write(r)
	state := r.State
	return func() {
		known.restore(r)
		writeInternal(r, resource.State{})
		r.State = state
	}
}

// DropLocalConfig takes out what is marked as configuration for local tools
// (Factory.DropLocalNodes).
func (b *Transformer) DropLocalConfig(acc *accumulator.Accumulator) {
	resources := acc.Set.List()
	local := make([]bool, len(resources))
	parallel.ForEach(len(resources), func(i int) {
		local[i] = b.Finals.EndOf(resources[i]) == nil && (resources[i].Empty() || isLocalConfig(resources[i]))
	})
	if slices.Contains(local, true) {
		b.Names = nil // it has more
	}
	at := -1
	acc.Set.Retain(func(*resource.Resource) bool {
		at++
		return !local[at]
	})
}

func isLocalConfig(r *resource.Resource) bool {
	_, annotations := syntax.Field(r.Metadata(), "annotations")
	_, local := syntax.Field(annotations, "config.kubernetes.io/local-config")
	return local != nil && nullableText(local) != "false"
}

// nullableText is a scalar's text, empty for null (kyaml's GetValue).
func nullableText(n *yaml.Node) string {
	if n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

// ensureMap returns the mapping in a field, made where it is missing; nil where
// the field holds something else.
func ensureMap(n *yaml.Node, name string) *yaml.Node {
	_, m := syntax.Field(n, name)
	if m == nil {
		m = &yaml.Node{Kind: yaml.MappingNode}
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, m)
	}
	if m.Kind != yaml.MappingNode {
		return nil
	}
	return m
}

// ClearField removes the first entry with that key.
func ClearField(n *yaml.Node, name string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// CleanMetadata ends the build for a resource as kustomize does: annotations are
// written anew as strings, without the internal ones, and an empty map of them
// is dropped (RemoveBuildAnnotations, RemoveOriginAnnotations).
func CleanMetadata(r *resource.Resource) {
	if _, metadata := syntax.Field(r.Node, "metadata"); metadata != nil {
		if _, annotations := syntax.Field(metadata, "annotations"); annotations == nil {
			return
		}
	}
	r.Change(writeAnnotationsAnew)
}

func writeAnnotationsAnew(r *resource.Edit) {
	r.OwnField("metadata")
	metadata := ensureMap(r.Node, "metadata")
	if metadata == nil {
		return
	}
	_, annotations := syntax.Field(metadata, "annotations")
	if annotations == nil {
		return
	}
	ClearField(metadata, "annotations")
	if len(annotations.Content)%2 != 0 {
		return
	}
	clean := *annotations // a list's elements are taken for keys and values in turn
	clean.Kind, clean.Tag, clean.Content = yaml.MappingNode, "!!map", nil
	seen := map[string]int{}
	for i := 0; i+1 < len(annotations.Content); i += 2 {
		key, value := annotations.Content[i], annotations.Content[i+1]
		if buildAnnotations[key.Value] || key.Value == originAnnotation || key.Value == transformationsAnnotation {
			continue
		}
		value = stringNode(value)
		if at, ok := seen[key.Value]; ok {
			clean.Content[at] = value
			continue
		}
		// The key is written anew too: one that reads as a number or boolean is
		// none of a string's any more, and cannot be printed.
		name := &yaml.Node{Kind: yaml.ScalarNode, Value: key.Value}
		syntax.CopyPlace(name, key)
		clean.Content = append(clean.Content, name, value)
		seen[key.Value] = len(clean.Content) - 1
	}
	if len(clean.Content) > 0 {
		name := &yaml.Node{Kind: yaml.ScalarNode, Value: "annotations", Tag: "!!str"}
		metadata.Content = append(metadata.Content, name, &clean)
	}
}

// buildAnnotations are taken out of every resource at the end
// (resource.BuildAnnotations in api v0.21.2), with internalPrefix or as they are.
var buildAnnotations = map[string]bool{
	load.InternalPrefix + "previousKinds":                     true,
	load.InternalPrefix + "previousNames":                     true,
	load.InternalPrefix + "previousNamespaces":                true,
	load.InternalPrefix + "prefixes":                          true,
	load.InternalPrefix + "suffixes":                          true,
	load.InternalPrefix + "allowNameChange":                   true,
	load.InternalPrefix + "allowKindChange":                   true,
	load.InternalPrefix + "refBy":                             true,
	load.InternalPrefix + "generatorBehavior":                 true,
	load.InternalPrefix + "needsHashSuffix":                   true,
	load.InternalPrefix + "path":                              true,
	load.InternalPrefix + "index":                             true,
	load.InternalPrefix + "seqindent":                         true,
	load.InternalPrefix + "id":                                true,
	load.InternalPrefix + "annotations-migration-resource-id": true,
	load.InternalPrefix + "helm-generated":                    true,
	"config.kubernetes.io/path":                               true,
	"config.kubernetes.io/index":                              true,
	"config.k8s.io/id":                                        true,
}
