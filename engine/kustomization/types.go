// Package kustomization reads a kustomization file into typed fields that keep
// the nodes they were read from, and holds the table of field knowledge. It
// accepts and refuses what types.Kustomization.Unmarshal, FixKustomization,
// CheckEmpty and EnforceFields of kustomize v5.8.2 (api v0.21.2) do. It reads
// no other file and builds nothing.
package kustomization

import yaml "go.yaml.in/yaml/v3"

// Names of the two kinds and of the files kustomize recognises, in its order.
const (
	KindKustomization = "Kustomization"
	KindComponent     = "Component"
)

// FileNames returns the names under which kustomize looks for a kustomization
// file in a folder, in its order (konfig.RecognizedKustomizationFileNames).
func FileNames() []string {
	return []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
}

// Text is a string and the scalar node it was read from. The node is nil for a
// value that is not in the file.
type Text struct {
	Value string
	Node  *yaml.Node
}

// Pair is one entry of a map of strings. Lists of pairs are sorted by key, which
// is the order in which kustomize applies them; no key is there twice.
type Pair struct {
	Key, Value Text
}

// Kustomization is a kustomization file or component as kustomize sees it after
// defaulting and migration: Resources ends with what stood in bases, Images with
// what stood in imageTags, EnvSources with env, HelmCharts with what stood in
// helmChartInflationGenerator.
type Kustomization struct {
	// Node is the mapping at the file's root, nil where there is none.
	Node *yaml.Node

	Kind, APIVersion Text
	// Metadata has no effect; nil where the file does not have it.
	Metadata *Metadata

	NamePrefix, NameSuffix, Namespace Text
	CommonLabels                      []Pair
	Labels                            []Label
	CommonAnnotations                 []Pair

	PatchesStrategicMerge []Text
	PatchesJSON6902       []Patch
	Patches               []Patch
	Images                []Image
	Replacements          []Replacement
	Replicas              []Replica
	Vars                  []Var
	SortOptions           *SortOptions

	Resources, Components, Crds []Text
	// FirstBase is the index in Resources of the first entry that stood in the
	// deprecated field bases.
	FirstBase int

	ConfigMapGenerator []Generator
	SecretGenerator    []Generator
	GeneratorOptions   *GeneratorOptions
	HelmGlobals        *HelmGlobals
	HelmCharts         []HelmChart

	OpenAPI                                              []Pair
	Configurations, Generators, Transformers, Validators []Text
	BuildMetadata                                        []Text
}

// Metadata is the metadata field.
type Metadata struct {
	Node                *yaml.Node
	Name, Namespace     Text
	Labels, Annotations []Pair
}

// Label is an entry of labels.
type Label struct {
	Node                                                            *yaml.Node
	Pairs                                                           []Pair
	IncludeSelectors, IncludeTemplates, IncludeVolumeClaimTemplates bool
	FieldSpecs                                                      []FieldSpec
}

// FieldSpec names a field of the resources of a kind. Path is separated by
// slashes; see kustomize's types.FieldSpec.
type FieldSpec struct {
	Node                 *yaml.Node
	Group, Version, Kind string
	Path                 string
	Create               bool
}

// Patch is an entry of patches or patchesJson6902.
type Patch struct {
	Node        *yaml.Node
	Path, Patch Text
	Target      *Selector
	Options     PatchOptions
}

// PatchOptions are the options of a patch.
type PatchOptions struct {
	AllowNameChange, AllowKindChange bool
}

// Selector selects resources: in patches and in the select and reject entries
// of replacements the id fields are anchored regular expressions, in a
// replacement's source they are literal.
type Selector struct {
	Node                                  *yaml.Node
	Group, Version, Kind, Name, Namespace Text
	AnnotationSelector, LabelSelector     Text
}

// Image is an entry of images.
type Image struct {
	Node                                     *yaml.Node
	Name, NewName, TagSuffix, NewTag, Digest Text
}

// Replica is an entry of replicas.
type Replica struct {
	Node  *yaml.Node
	Name  Text
	Count int64
	// CountNode holds the count, nil where it is not in the file.
	CountNode *yaml.Node
}

// Replacement is an entry of replacements: either Path names a file of
// replacements, or the rest says what to replace. Source, SourceValue and
// Targets are nil where the file does not have them.
type Replacement struct {
	Node        *yaml.Node
	Path        Text
	Source      *ReplacementSource
	SourceValue *Text
	Targets     []ReplacementTarget
	// HasTargets is true where the file has a list of targets, even an empty one.
	HasTargets bool
}

// ReplacementSource names the value to copy.
type ReplacementSource struct {
	Selector
	FieldPath Text
	Options   *FieldOptions
}

// ReplacementTarget names the fields to write.
type ReplacementTarget struct {
	Node       *yaml.Node
	Select     *Selector
	Reject     []*Selector
	FieldPaths []Text
	Options    *FieldOptions
}

// FieldOptions are the options of a replacement's source or target.
type FieldOptions struct {
	Node      *yaml.Node
	Delimiter Text
	Index     int
	Encoding  Text
	Create    bool
}

// Generator is an entry of configMapGenerator or secretGenerator.
type Generator struct {
	Node                      *yaml.Node
	Namespace, Name, Behavior Text
	// Literals, Files and Envs are as written; Envs ends with what stood in the
	// older field env. A literal that was written as a map of one entry (which
	// only kls reads) has the mapping as its node and as its value the literal
	// that kustomize would read as the same key and value.
	Literals, Files, Envs []Text
	Options               *GeneratorOptions
	// Type is the secret's type; secretGenerator only.
	Type Text
	// MergeValues is kls's own (see design "mergeValues"); kustomize refuses it.
	MergeValues []MergeValue

	// env is the older field, which stands in Envs once the file was read.
	env Text
}

// MergeValue is an entry of a generator's mergeValues.
type MergeValue struct {
	Node        *yaml.Node
	Key, Format Text
}

// GeneratorOptions are generatorOptions or a generator's options.
type GeneratorOptions struct {
	Node                             *yaml.Node
	Labels, Annotations              []Pair
	DisableNameSuffixHash, Immutable bool
}

// Var is an entry of vars.
type Var struct {
	Node *yaml.Node
	Name Text
	// ObjRef's group and version are already those of its apiVersion.
	ObjRef Selector
	// FieldPath is empty where the file has none; kustomize then takes
	// metadata.name.
	FieldPath Text

	apiVersion Text
}

// SortOptions is the sortOptions field.
type SortOptions struct {
	Node                  *yaml.Node
	Order                 Text
	HasLegacy             bool
	OrderFirst, OrderLast []Text
}

// HelmGlobals is the helmGlobals field.
type HelmGlobals struct {
	Node                  *yaml.Node
	ChartHome, ConfigHome Text
}

// HelmChart is an entry of helmCharts. The fields that kls itself needs are
// here; the external package reads the rest from Node.
type HelmChart struct {
	Node                                            *yaml.Node
	Name, Version, Repo, ReleaseName, Namespace     Text
	ValuesFile, ValuesMerge, NameTemplate           Text
	KubeVersion                                     Text
	AdditionalValuesFiles, APIVersions              []Text
	ValuesInline                                    *yaml.Node
	IncludeCRDs, SkipHooks, SkipTests, Debug, Devel bool
}
