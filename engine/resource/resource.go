package resource

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Behavior is what a generated resource does with one that is there already.
type Behavior string

// The behaviors of generators; any other text counts as Unspecified.
const (
	Unspecified Behavior = "unspecified"
	Create      Behavior = "create"
	Replace     Behavior = "replace"
	Merge       Behavior = "merge"
)

// Previous is an identity that a resource had before a change; group and
// version are not kept, the current ones stand for them (utils.PrevIds).
type Previous struct {
	Namespace, Name, Kind string
}

// HasComma tells whether a part of the identity has a comma in it, which kustomize
// separates previous identities by.
func (p Previous) HasComma() bool { return strings.Contains(p.Namespace+p.Name+p.Kind, ",") }

// Resource is one resource of a build. What kustomize keeps in annotations
// under internal.config.kubernetes.io while it builds is kept in State.
type Resource struct {
	// Node is the mapping; nil once the resource was deleted.
	Node *yaml.Node
	State
	ownership

	// Entry is the node of the kustomization file's entry that brought the
	// resource in: of resources, or of a generator.
	Entry *yaml.Node
	// Named is the scalar that gave the resource its own name where it was read, or
	// that of the generator that made it, as no step of a build changed it; nil for
	// what came from elsewhere. One that a generator was merged with stays itself.
	Named *yaml.Node
	// Origin is where the resource came from, as the origin annotation says it;
	// nil where the build does not ask for annotations.
	Origin *Origin
	// Transformations are the transformers that the transformer annotation
	// lists, the last one first.
	Transformations *Transformation

	// Schema says which kinds are cluster-scoped; nil for the built-in one.
	Schema *kubernetes.Schema

	// Notes are those on the nodes of a result's resource, nil where none are kept.
	Notes *Notes
	parts []*part // large values, of which answers are remembered

	// Form is for the build alone: what it knows the resource by in other builds.
	Form any

	id       ID
	idKnown  bool
	changing bool // while a Change of it runs
	order    int  // position in its set, ascending but not dense
	member   *Set
	entered  entered
}

// State is what kustomize writes into internal annotations during a build.
type State struct {
	Previous           []Previous
	Prefixes, Suffixes []string
	NeedsHash          bool
	// Generated is true for what a generator of ConfigMaps or Secrets made.
	Generated bool
	// Broken is true once an identity without name or kind, or with a comma, was to be kept:
	// kustomize crashes on it later.
	Broken   bool
	Behavior Behavior
	// RefVars are the names of the vars that read from this resource.
	RefVars []string
	// Helm is true for output of a helm chart: the namespace transformer leaves
	// it alone.
	Helm bool
}

// Equal tells whether two states are the same.
func (s *State) Equal(other *State) bool {
	return s.NeedsHash == other.NeedsHash && s.Generated == other.Generated && s.Broken == other.Broken &&
		s.Behavior == other.Behavior && s.Helm == other.Helm && sameList(s.Previous, other.Previous) &&
		sameList(s.Prefixes, other.Prefixes) && sameList(s.Suffixes, other.Suffixes) && sameList(s.RefVars, other.RefVars)
}

// sameList is slices.Equal, and most often two lists are one.
func sameList[T comparable](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// ID returns the current identity.
func (r *Resource) ID() ID {
	if !r.idKnown {
		r.id, r.idKnown = r.readID(), !r.changing
	}
	return r.id
}

func (r *Resource) readID() ID {
	n := r.Node
	id := ID{Kind: scalar(n, "kind")}
	apiVersion := scalar(n, "apiVersion")
	id.Group, id.Version = SplitAPIVersion(apiVersion)
	if r.Schema != nil {
		id.ClusterScoped = r.Schema.ClusterScoped(apiVersion, id.Kind)
	} else {
		id.ClusterScoped = kubernetes.ClusterScoped(apiVersion, id.Kind)
	}
	if _, metadata := syntax.Field(n, "metadata"); metadata != nil {
		id.Name = metaScalar(metadata, "name")
		id.Namespace = metaScalar(metadata, "namespace")
	}
	return id
}

func scalar(n *yaml.Node, name string) string {
	if _, v := syntax.Field(n, name); v != nil {
		return v.Value
	}
	return ""
}

// metaScalar is like scalar, but a null is empty (RNode.getMetaStringField).
func metaScalar(n *yaml.Node, name string) string {
	if _, v := syntax.Field(n, name); v != nil && v.Tag != "!!null" {
		return v.Value
	}
	return ""
}

// OriginalID returns the first identity the resource had (Resource.OrgId).
func (r *Resource) OriginalID() ID {
	if len(r.Previous) > 0 {
		return r.previousID(0)
	}
	return r.ID()
}

// PreviousIDs calls yield for each identity before the current one, the oldest
// first, until it returns false.
func (r *Resource) PreviousIDs(yield func(ID) bool) {
	for i := range r.Previous {
		if !yield(r.previousID(i)) {
			return
		}
	}
}

func (r *Resource) previousID(i int) ID {
	p, now := r.Previous[i], r.ID()
	return ID{Group: now.Group, Version: now.Version, Kind: p.Kind, Name: p.Name, Namespace: p.Namespace}
}

// AllIDs returns the previous identities, the oldest first, and the current one.
func (r *Resource) AllIDs() []ID {
	ids := make([]ID, 0, len(r.Previous)+1)
	r.PreviousIDs(func(id ID) bool { ids = append(ids, id); return true })
	return append(ids, r.ID())
}

// AnyID tells whether the condition holds of the current identity or a previous one.
func (r *Resource) AnyID(holds func(ID) bool) bool {
	for i := range r.Previous {
		if holds(r.previousID(i)) {
			return true
		}
	}
	return holds(r.ID())
}

// Empty tells whether the resource was deleted or has nothing in it.
func (r *Resource) Empty() bool {
	return r.Node == nil || r.Node.Tag == "!!null" || len(r.Node.Content) == 0
}

// Copy returns a resource that shares nothing mutable with r and belongs to no
// set.
func (r *Resource) Copy() *Resource {
	c := *r
	c.Node, c.ownership = syntax.Copy(r.Node), ownership{}
	c.Previous = slices.Clone(r.Previous)
	c.Prefixes = slices.Clone(r.Prefixes)
	c.Suffixes = slices.Clone(r.Suffixes)
	c.RefVars = slices.Clone(r.RefVars)
	c.entered, c.member, c.Form = entered{}, nil, nil
	return &c
}

// Metadata returns the metadata mapping, nil where there is none or it is empty.
func (r *Resource) Metadata() *yaml.Node {
	_, m := syntax.Field(r.Node, "metadata")
	if m == nil || m.Kind != yaml.MappingNode || len(m.Content) == 0 {
		return nil
	}
	return m
}

// Labels returns the labels (RNode.GetLabels): the text of each value.
func (r *Resource) Labels() map[string]string { return r.metaMap("labels") }

// Annotations returns the annotations, without those that kustomize uses
// internally while it builds.
func (r *Resource) Annotations() map[string]string { return r.metaMap("annotations") }

func (r *Resource) metaMap(name string) map[string]string {
	_, m := syntax.Field(r.Metadata(), name)
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	values := make(map[string]string, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		values[m.Content[i].Value] = m.Content[i+1].Value
	}
	return values
}
