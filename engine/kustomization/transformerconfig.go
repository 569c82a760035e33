package kustomization

import (
	"iter"
	"sort"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// TransformerConfig tells the transformers which fields of which kinds they
// work on (builtinconfig.TransformerConfig).
type TransformerConfig struct {
	NamePrefix, NameSuffix, Namespace            []FieldSpec
	CommonLabels, Labels, TemplateLabels         []FieldSpec
	VolumeClaimTemplateLabels, CommonAnnotations []FieldSpec
	NameReference                                []NameReference
	VarReference, Images, Replicas               []FieldSpec
}

// NameReference says which fields hold the name of a resource of a kind.
type NameReference struct {
	Node                 *yaml.Node
	Group, Version, Kind string
	FieldSpecs           []FieldSpec
}

// ReadTransformerConfig reads a file of `configurations`, sorted as kustomize
// sorts it (builtinconfig.makeTransformerConfigFromBytes). Unlike a
// kustomization such a file is read strictly: equal keys are refused, numbers
// and booleans are taken as text where text is needed. See Read for the rest.
func ReadTransformerConfig(doc *yaml.Node) (*TransformerConfig, []Problem) {
	r, config := &report{}, &TransformerConfig{}
	c := newConverter(r)
	c.strict, c.coerce = true, true
	if v, ok := c.document(rootOf(doc)); ok && v.kind != TypeNull {
		d := &decoder{report: r, coerce: true}
		if v.kind == TypeObject {
			d.object(config, transformerConfigStruct, v)
		} else {
			d.fail(Problem{Kind: NotAMapping, Node: v.node, Want: TypeObject, Got: v.kind})
		}
	}
	config.sort()
	return config, r.inOrder()
}

// DefaultTransformerConfig returns what kustomize knows by itself, in its order
// (builtinconfig.MakeDefaultConfig). It is shared and must not be changed;
// Merge does not change it. kustomize merges the files of `configurations` into
// an empty configuration one after the other, and then merges that into this.
func DefaultTransformerConfig() *TransformerConfig { return &defaultConfig }

// spec is a FieldSpec of the defaults.
type spec struct {
	group, version, kind, path string
	create                     bool
}

func specs(list ...spec) []FieldSpec {
	fieldSpecs := make([]FieldSpec, len(list))
	for i, s := range list {
		fieldSpecs[i] = FieldSpec{Group: s.group, Version: s.version, Kind: s.kind, Path: s.path, Create: s.create}
	}
	return fieldSpecs
}

// Selects tells whether the kind of a resource is one that the field spec is
// for (resid.Gvk.IsSelected): what the field spec leaves empty matches anything.
func (f *FieldSpec) Selects(group, version, kind string) bool {
	return (f.Group == "" || f.Group == group) &&
		(f.Version == "" || f.Version == version) &&
		(f.Kind == "" || f.Kind == kind)
}

// fieldSpecLists pairs the name of each list with the list, in the order in
// which kustomize merges them; nameReference is not among them.
func (c *TransformerConfig) fieldSpecLists() []namedFieldSpecs {
	return []namedFieldSpecs{
		{"namePrefix", &c.NamePrefix},
		{"nameSuffix", &c.NameSuffix},
		{"namespace", &c.Namespace},
		{"commonAnnotations", &c.CommonAnnotations},
		{"commonLabels", &c.CommonLabels},
		{"labels", &c.Labels},
		{"templateLabels", &c.TemplateLabels},
		{"volumeClaimTemplateLabels", &c.VolumeClaimTemplateLabels},
		{"varReference", &c.VarReference},
		{"images", &c.Images},
		{"replicas", &c.Replicas},
	}
}

// All yields each field spec with the field of the configuration that it stands in; those
// of nameReference are not among them.
func (c *TransformerConfig) All() iter.Seq2[string, FieldSpec] {
	return func(yield func(string, FieldSpec) bool) {
		for _, list := range c.fieldSpecLists() {
			for _, spec := range *list.specs {
				if !yield(list.name, spec) {
					return
				}
			}
		}
	}
}

type namedFieldSpecs struct {
	name  string
	specs *[]FieldSpec
}

// Conflict says why two configurations cannot be merged: both name the same
// field of the same kind, but disagree on whether to add it where it is missing.
type Conflict struct {
	// Field is the list, such as commonLabels.
	Field    string
	Old, New FieldSpec
}

// Merge returns the merger of two configurations, sorted, or the conflict
// because of which kustomize refuses it (TransformerConfig.Merge). Neither of
// the two is changed; they may be shared.
func (c *TransformerConfig) Merge(other *TransformerConfig) (*TransformerConfig, *Conflict) {
	if other == nil {
		return c, nil
	}
	merged := &TransformerConfig{}
	into, from := merged.fieldSpecLists(), other.fieldSpecLists()
	for i, list := range c.fieldSpecLists() {
		specs, conflict := MergeFieldSpecs(*list.specs, *from[i].specs)
		if conflict != nil {
			conflict.Field = list.name
			return nil, conflict
		}
		*into[i].specs = specs
	}
	references, conflict := mergeReferences(c.NameReference, other.NameReference)
	if conflict != nil {
		conflict.Field = "nameReference"
		return nil, conflict
	}
	merged.NameReference = references
	merged.sort()
	return merged, nil
}

// MergeFieldSpecs appends those field specs to a list that it does not have
// (FsSlice.MergeAll): one is there already where it has the same path and is
// for every kind that the new one names. The list itself is not changed; the
// conflict's Field is empty.
func MergeFieldSpecs(list, more []FieldSpec) ([]FieldSpec, *Conflict) {
	index := map[string][]int{}
	for i := range list {
		index[list[i].Path] = append(index[list[i].Path], i)
	}
	merged := append(make([]FieldSpec, 0, len(list)+len(more)), list...)
	for _, spec := range more {
		same := find(merged, index[spec.Path], spec)
		if same < 0 {
			index[spec.Path] = append(index[spec.Path], len(merged))
			merged = append(merged, spec)
			continue
		}
		if merged[same].Create != spec.Create {
			return nil, &Conflict{Old: merged[same], New: spec}
		}
	}
	return merged, nil
}

// find returns the first of the field specs at the indexes that is selected by
// the new one, or -1.
func find(list []FieldSpec, indexes []int, spec FieldSpec) int {
	for _, i := range indexes {
		if spec.Selects(list[i].Group, list[i].Version, list[i].Kind) {
			return i
		}
	}
	return -1
}

type groupVersionKind struct{ group, version, kind string }

// mergeReferences merges the field specs of equal kinds and appends the rest
// (nbrSlice.mergeAll).
func mergeReferences(list, more []NameReference) ([]NameReference, *Conflict) {
	merged := append(make([]NameReference, 0, len(list)+len(more)), list...)
	index := map[groupVersionKind][]int{}
	for i, r := range merged {
		index[r.key()] = append(index[r.key()], i)
	}
	for _, r := range more {
		same := index[r.key()]
		if len(same) == 0 {
			index[r.key()] = []int{len(merged)}
			merged = append(merged, r)
		}
		for _, i := range same {
			specs, conflict := MergeFieldSpecs(merged[i].FieldSpecs, r.FieldSpecs)
			if conflict != nil {
				return nil, conflict
			}
			merged[i].FieldSpecs = specs
		}
	}
	return merged, nil
}

func (r *NameReference) key() groupVersionKind {
	return groupVersionKind{r.Group, r.Version, r.Kind}
}

// sort sorts every list by kind as kustomize does (TransformerConfig.sortFields).
// Entries of one kind keep whatever order sort.Sort gives them: it is the same
// algorithm on the same length and the same keys, so it is kustomize's order.
func (c *TransformerConfig) sort() {
	for _, list := range c.fieldSpecLists() {
		sort.Sort(fieldSpecsByKind(*list.specs))
	}
	sort.Sort(referencesByKind(c.NameReference))
}

type fieldSpecsByKind []FieldSpec

func (s fieldSpecsByKind) Len() int      { return len(s) }
func (s fieldSpecsByKind) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s fieldSpecsByKind) Less(i, j int) bool {
	return kindLess(s[i].Group, s[i].Version, s[i].Kind, s[j].Group, s[j].Version, s[j].Kind)
}

type referencesByKind []NameReference

func (s referencesByKind) Len() int      { return len(s) }
func (s referencesByKind) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s referencesByKind) Less(i, j int) bool {
	return kindLess(s[i].Group, s[i].Version, s[i].Kind, s[j].Group, s[j].Version, s[j].Kind)
}

// kindLess is resid.Gvk.IsLessThan.
func kindLess(group, version, kind, otherGroup, otherVersion, otherKind string) bool {
	if rank, other := kindRank(kind), kindRank(otherKind); rank != other {
		return rank < other
	}
	return sortKey(group, version, kind) < sortKey(otherGroup, otherVersion, otherKind)
}

func sortKey(group, version, kind string) string {
	orElse := func(s, placeholder string) string {
		if s == "" {
			return placeholder
		}
		return s
	}
	return strings.Join([]string{orElse(group, "~G"), orElse(version, "~V"), orElse(kind, "~K")}, "_")
}

// kindRank is the place of a kind in resid's order: negative for the kinds that
// come first, positive for those that come last.
func kindRank(kind string) int {
	for i, first := range [...]string{
		"Namespace", "ResourceQuota", "StorageClass", "CustomResourceDefinition", "ServiceAccount",
		"PodSecurityPolicy", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ConfigMap",
		"Secret", "Endpoints", "Service", "LimitRange", "PriorityClass", "PersistentVolume",
		"PersistentVolumeClaim", "Deployment", "StatefulSet", "CronJob", "PodDisruptionBudget",
	} {
		if kind == first {
			return i - 22
		}
	}
	switch kind {
	case "MutatingWebhookConfiguration":
		return 1
	case "ValidatingWebhookConfiguration":
		return 2
	}
	return 0
}
