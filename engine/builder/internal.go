package builder

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// newResource makes a resource of a node that belongs to it alone, taking over
// what the file says in kustomize's internal annotations.
func newResource(n *yaml.Node, entry *yaml.Node) *resource.Resource {
	r := &resource.Resource{Node: n, Entry: entry}
	adoptInternal(r)
	return r
}

// sharedResource is newResource of a node that belongs to the session, too.
func sharedResource(n *yaml.Node, entry *yaml.Node) *resource.Resource {
	r := newResource(n, entry)
	r.Share()
	return r
}

// adoptInternal reads kustomize's internal annotations of a resource that comes
// from a file: upstream cannot tell them from its own.
func adoptInternal(r *resource.Resource) {
	_, annotations := syntax.Field(r.Metadata(), "annotations")
	if annotations == nil || annotations.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(annotations.Content); i += 2 {
		name, ok := strings.CutPrefix(annotations.Content[i].Value, internalPrefix)
		if !ok {
			continue
		}
		value := annotations.Content[i+1].Value
		switch name {
		case "needsHashSuffix":
			r.NeedsHash = value == "enabled"
		case "generatorBehavior":
			r.Behavior = behaviorOf(value)
		case "prefixes":
			r.Prefixes = strings.Split(value, ",")
		case "suffixes":
			r.Suffixes = strings.Split(value, ",")
		case "helm-generated":
			r.Helm = value == "true"
		case "previousNames":
			r.Previous = previousOf(annotations)
		}
	}
}

// internalPrefix begins the annotations that kustomize keeps its state in while
// it builds, and reads back from files.
const internalPrefix = "internal.config.kubernetes.io/"

// buildAnnotations are taken out of every resource at the end
// (resource.BuildAnnotations in api v0.21.2), with internalPrefix or as they are.
var buildAnnotations = map[string]bool{
	internalPrefix + "previousKinds":                     true,
	internalPrefix + "previousNames":                     true,
	internalPrefix + "previousNamespaces":                true,
	internalPrefix + "prefixes":                          true,
	internalPrefix + "suffixes":                          true,
	internalPrefix + "allowNameChange":                   true,
	internalPrefix + "allowKindChange":                   true,
	internalPrefix + "refBy":                             true,
	internalPrefix + "generatorBehavior":                 true,
	internalPrefix + "needsHashSuffix":                   true,
	internalPrefix + "path":                              true,
	internalPrefix + "index":                             true,
	internalPrefix + "seqindent":                         true,
	internalPrefix + "id":                                true,
	internalPrefix + "annotations-migration-resource-id": true,
	internalPrefix + "helm-generated":                    true,
	"config.kubernetes.io/path":                          true,
	"config.kubernetes.io/index":                         true,
	"config.k8s.io/id":                                   true,
}

func previousOf(annotations *yaml.Node) []resource.Previous {
	list := func(name string) []string {
		if _, v := syntax.Field(annotations, internalPrefix+name); v != nil {
			return strings.Split(v.Value, ",")
		}
		return nil
	}
	names, spaces, kinds := list("previousNames"), list("previousNamespaces"), list("previousKinds")
	if len(names) != len(spaces) || len(names) != len(kinds) {
		return nil
	}
	var previous []resource.Previous
	for i := range names {
		previous = append(previous, resource.Previous{Namespace: spaces[i], Name: names[i], Kind: kinds[i]})
	}
	return previous
}

func behaviorOf(text string) resource.Behavior {
	switch b := resource.Behavior(text); b {
	case resource.Create, resource.Replace, resource.Merge:
		return b
	}
	return resource.Unspecified
}

// cleanMetadata ends the build for a resource as kustomize does: annotations are
// written anew as strings, without the internal ones, and an empty map of them
// is dropped (RemoveBuildAnnotations, RemoveOriginAnnotations).
func cleanMetadata(r *resource.Resource) {
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
	clearField(metadata, "annotations")
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
