// Package resource holds the resources of a build: their identity now and
// before each change of it, an ordered set with indexes by identity, and where
// each came from. It neither reads files nor changes fields.
package resource

import "strings"

// Namespaces as kustomize's kyaml/resid names them.
const (
	// DefaultNamespace is what an empty namespace stands for.
	DefaultNamespace = "default"
	// NoNamespace is the effective namespace of a cluster-scoped resource.
	NoNamespace = "_non_namespaceable_"
)

// ID identifies a resource: kyaml's resid.ResId. ClusterScoped is true where the
// kind is known to be cluster-scoped; kustomize knows it of the current identity
// only, previous ones carry NoNamespace instead.
type ID struct {
	Group, Version, Kind, Name, Namespace string
	ClusterScoped                         bool
}

// EffectiveNamespace returns the namespace that identities are compared by
// (resid.ResId.EffectiveNamespace).
func (id ID) EffectiveNamespace() string {
	switch {
	case id.ClusterScoped:
		return NoNamespace
	case id.Namespace == "" || id.Namespace == DefaultNamespace:
		return DefaultNamespace
	}
	return id.Namespace
}

// Equal tells whether both name the same resource (resid.ResId.Equals).
func (id ID) Equal(other ID) bool {
	return id.key() == other.key() && id.EffectiveNamespace() == other.EffectiveNamespace()
}

// APIVersion returns group and version as they stand in apiVersion.
func (id ID) APIVersion() string {
	if id.Group == "" {
		return id.Version
	}
	return id.Group + "/" + id.Version
}

// IsSelected tells whether the group, version and kind are those given, where an
// empty one matches all (resid.Gvk.IsSelected).
func (id ID) IsSelected(group, version, kind string) bool {
	return (group == "" || group == id.Group) &&
		(version == "" || version == id.Version) &&
		(kind == "" || kind == id.Kind)
}

// String returns Kind[.group]/[namespace/]name, the address that users see.
func (id ID) String() string {
	var b strings.Builder
	b.WriteString(id.Kind)
	if id.Group != "" {
		b.WriteByte('.')
		b.WriteString(id.Group)
	}
	b.WriteByte('/')
	if id.Namespace != "" && id.Namespace != NoNamespace {
		b.WriteString(id.Namespace)
		b.WriteByte('/')
	}
	b.WriteString(id.Name)
	return b.String()
}

// SplitAPIVersion splits at the first slash (resid.ParseGroupVersion).
func SplitAPIVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// key is the part of an identity that kustomize compares literally everywhere;
// the namespace is compared by effect.
type key struct {
	group, version, kind, name string
}

func (id ID) key() key { return key{id.Group, id.Version, id.Kind, id.Name} }

func (id ID) place() place { return place{id.key(), id.EffectiveNamespace()} }
