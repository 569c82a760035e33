// Package kubernetes knows of the Kubernetes API what a build needs: how the
// lists of each type merge under a strategic merge patch, and which kinds are
// cluster-scoped. The facts are those of the OpenAPI document that kustomize
// v5.8.2 carries (Kubernetes v1.21.2), in tables that cost nothing to load; a
// build's own `openapi: path:` document is an overlay that is a value.
//
// It does not validate resources: that is package schema.
package kubernetes

import "sort"

//go:generate go test -run TestTableIsCurrent -update .

// Schema says how the fields of resources merge. The zero value is the schema
// built into kustomize v5.8.2. A Schema is immutable.
type Schema struct {
	custom *Definitions
	order  Order
}

// Order says how a custom schema stands to the built-in one. kustomize keeps
// one schema for the whole process, so which of these holds depends on what
// the build did before it read the custom schema (kyaml openapi.SetSchema and
// initSchema).
type Order int

const (
	// CustomOnly replaces the built-in schema. So it is where the root names
	// the custom schema, or where nothing of the below came before it.
	CustomOnly Order = iota
	// BuiltinFirst keeps the built-in definitions and adds to them: a resource
	// had been loaded whose kind is not in the table of scopes (KnownScope), but
	// no patch had been merged.
	BuiltinFirst
	// CustomFirst puts the custom definitions over the built-in ones: a patch
	// had been merged with the built-in schema before, so a base names the
	// custom schema and comes after a base with a patch.
	CustomFirst
)

// NewSchema returns the schema in force once custom has been read. A nil
// custom gives the built-in schema.
func NewSchema(custom *Definitions, order Order) Schema {
	return Schema{custom: custom, order: order}
}

// ForResource returns the type of a resource; an unknown one for a kind that
// the schema does not describe (kyaml openapi.SchemaForResourceType).
func (s Schema) ForResource(apiVersion, kind string) Type {
	return s.first(
		func() Type { return s.builtin(findResource(kustomizationResources[:], apiVersion, kind)) },
		func() Type { return s.builtin(findResource(kubernetesResources[:], apiVersion, kind)) },
		func() Type { return s.ofCustom(s.custom.resources[groupVersionKind{apiVersion, kind}]) },
	)
}

// ClusterScoped tells whether a kind is certainly cluster-scoped; false for a
// kind that nothing is known of (kyaml openapi.IsCertainlyClusterScoped, which
// resid.Gvk.IsClusterScoped returns). The built-in table is asked first,
// whatever the order.
func (s Schema) ClusterScoped(apiVersion, kind string) bool {
	if namespaced, known := builtinNamespaced(apiVersion, kind); known {
		return !namespaced
	}
	if s.custom == nil {
		return false
	}
	namespaced, known := s.custom.namespaced[groupVersionKind{apiVersion, kind}]
	return known && !namespaced
}

// ClusterScoped is Schema.ClusterScoped of the built-in schema.
func ClusterScoped(apiVersion, kind string) bool {
	return Schema{}.ClusterScoped(apiVersion, kind)
}

// definition returns the type that a reference to the name leads to.
func (s Schema) definition(name string) Type {
	return s.first(
		func() Type { return s.builtin(findDefinition(kustomizationStart, len(definitionNames), name)) },
		func() Type { return s.builtin(findDefinition(0, kustomizationStart, name)) },
		func() Type { return s.ofCustom(s.custom.definitions[name]) },
	)
}

// first asks the layers of the schema in the order in which they win. The
// schema of kustomize's own kinds is read last, so it wins over all.
func (s Schema) first(kustomization, kubernetes, custom func() Type) Type {
	if found := kustomization(); found.Known() {
		return found
	}
	layers := []func() Type{kubernetes}
	if s.custom != nil {
		layers = [][]func() Type{
			CustomOnly:   {custom},
			BuiltinFirst: {kubernetes, custom},
			CustomFirst:  {custom, kubernetes},
		}[s.order]
	}
	for _, layer := range layers {
		if found := layer(); found.Known() {
			return found
		}
	}
	return Type{}
}

// Type is what the schema knows of one place in a resource. The zero value is
// the unknown type: no list of it merges, and none of its fields is known.
type Type struct {
	schema Schema
	id     typeID      // of a built-in type, else 0
	custom *customType // of a type in the custom schema, else nil
}

// Known tells whether the schema describes the place at all. kustomize looks
// for apiVersion and kind only in values of unknown type.
func (t Type) Known() bool {
	return t.id != unknown || t.custom != nil
}

// Field returns the type of a field of a mapping (kyaml ResourceSchema.Field).
func (t Type) Field(name string) Type {
	switch {
	case t.custom != nil:
		return t.schema.resolve(t.custom.field(name))
	case t.id == unknown:
		return Type{}
	}
	row := &types[t.id]
	own := fields[row.first : row.first+row.count]
	i := sort.Search(len(own), func(i int) bool { return own[i].name >= name })
	if i < len(own) && own[i].name == name {
		return t.schema.builtin(own[i].id)
	}
	return t.schema.builtin(row.rest)
}

// Elements returns the type of a list's elements (kyaml ResourceSchema.Elements).
func (t Type) Elements() Type {
	if t.custom != nil {
		return t.schema.resolve(t.custom.elements)
	}
	return t.schema.builtin(types[t.id].elements)
}

// MergeKeys tells whether a list of this type is merged element by element,
// and by which fields of its elements. No keys means that the elements are
// scalars that stand for themselves, such as finalizers (kyaml
// ResourceSchema.PatchStrategyAndKeyList).
func (t Type) MergeKeys() (keys []string, associative bool) {
	if t.custom != nil {
		return t.custom.keys, t.custom.associative
	}
	strategy := &strategies[types[t.id].strategy]
	return strategy.keys, strategy.associative
}

// builtin returns a type of the tables, unless a custom schema that wins over
// them has a definition of the same name.
func (s Schema) builtin(id typeID) Type {
	if id == unknown {
		return Type{}
	}
	if s.custom != nil && s.order == CustomFirst && int(id) <= kustomizationStart {
		if replaced := s.custom.definitions[definitionNames[id-1]]; replaced != nil {
			return s.ofCustom(replaced)
		}
	}
	return Type{schema: s, id: id}
}

func (s Schema) ofCustom(t *customType) Type {
	if t == nil {
		return Type{}
	}
	return Type{schema: s, custom: t}
}
