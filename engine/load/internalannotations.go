package load

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// NewResource makes a resource of a node that belongs to it alone, taking over
// what the file says in kustomize's internal annotations.
func NewResource(n *yaml.Node, entry *yaml.Node) *resource.Resource {
	r := &resource.Resource{Node: n, Entry: entry}
	adoptInternal(r)
	return r
}

// SharedResource is newResource of a node that belongs to the session, too.
func SharedResource(n *yaml.Node, entry *yaml.Node) *resource.Resource {
	r := NewResource(n, entry)
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
		name, ok := strings.CutPrefix(annotations.Content[i].Value, InternalPrefix)
		if !ok {
			continue
		}
		value := annotations.Content[i+1].Value
		switch name {
		case "needsHashSuffix":
			r.NeedsHash = value == "enabled"
		case "generatorBehavior":
			r.Behavior = BehaviorOf(value)
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

// InternalPrefix begins the annotations that kustomize keeps its state in while
// it builds, and reads back from files.
const InternalPrefix = "internal.config.kubernetes.io/"

func previousOf(annotations *yaml.Node) []resource.Previous {
	list := func(name string) []string {
		if _, v := syntax.Field(annotations, InternalPrefix+name); v != nil {
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

func BehaviorOf(text string) resource.Behavior {
	switch b := resource.Behavior(text); b {
	case resource.Create, resource.Replace, resource.Merge:
		return b
	}
	return resource.Unspecified
}

// HasInternal tells whether kustomize keeps annotations on the resource by now, so
// that the map of annotations exists for a JSON6902 path.
func HasInternal(r *resource.Resource) bool {
	return len(r.Previous) > 0 || len(r.Prefixes) > 0 || len(r.Suffixes) > 0 || r.NeedsHash || r.Origin != nil ||
		r.Generated
}
