package trace

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Facts is what a layer's entries turned out to do: the part of the trace that
// is recorded in every build, since it costs nothing.
type Facts struct {
	Included     []Included
	Patches      []PatchFact
	Replacements []ReplacementFact
	Images       []ImageFact
	Replicas     []ReplicaFact
	Generators   []GeneratorFact
	Vars         []VarFact
	Inputs       []Input
	// Changed counts, for what comes to every resource (the namespace, names, labels
	// and annotations), those that it changes, by the node of the entry or field;
	// recorded with Options.Analyze only. Of a label that was there already it counts
	// too, and of the namespace those that it identifies.
	Changed map[*yaml.Node]int
	// References are the names of resources that stand in fields of others, of the
	// whole build: in the layer that is built. Recorded with Options.Analyze only.
	References []ReferenceFact
	// Features are what older releases of kustomize do not do. Those of
	// replacements are there with Options.Analyze only.
	Features []FeatureUse

	Used map[FeatureUse]bool
}

// Included is an entry of resources or components and what it names: a file
// (File and Path) or a kustomization (Layer).
type Included struct {
	Entry kustomization.Text
	File  text.FileID
	Path  string
	Layer *Layer
}

// Input is any other file that the layer read: a patch, a generator's source.
type Input struct {
	Entry *yaml.Node
	Path  string
	File  text.FileID
}

// PatchFact is one patch (an entry can hold several) and what it was applied to.
type PatchFact struct {
	Entry *yaml.Node
	// Patch is the root of a strategic merge patch or the list of a JSON6902 one.
	Patch *yaml.Node
	// Selector is the entry's target, nil where it has none.
	Selector *kustomization.Selector
	Options  kustomization.PatchOptions
	Targets  []*resource.Resource
}

// ReplacementFact is one replacement, its source and the resources it wrote to.
type ReplacementFact struct {
	Entry  *kustomization.Replacement
	Source *resource.Resource
	// Value is the node that was copied, after the source's options.
	Value   *yaml.Node
	Targets []*resource.Resource
	// Selected are the same resources for each entry of targets.
	Selected [][]*resource.Resource
	// Rejected are the resources that an entry of reject kept back.
	Rejected []Rejection
}

// Rejection is a resource and the entry of reject that kept it back.
type Rejection struct {
	Reject   *kustomization.Selector
	Resource *resource.Resource
}

// ImageFact is an entry of images and the nodes that it matched, as the images left them.
type ImageFact struct {
	Entry kustomization.Image
	Nodes []*yaml.Node
	// Resources hold the nodes, and Written is what each node was before the
	// change; the latter with Options.Analyze only.
	Resources []*resource.Resource
	Written   []*yaml.Node
}

// ReplicaFact is an entry of replicas and the resources that it was applied to.
type ReplicaFact struct {
	Entry   kustomization.Replica
	Targets []*resource.Resource
}

// GeneratorFact is an entry of configMapGenerator or secretGenerator.
type GeneratorFact struct {
	Entry *kustomization.Generator
	// Made is what the entry made, and Base the resource that it was merged with or
	// put in the place of, as it was then; nil for one that was created.
	Made, Base *resource.Resource
	Keys       []KeyFact
}

// KeyFact is a key that a generator gives.
type KeyFact struct {
	Name string
	// Node is the literal, or the entry of files; of a line in an env file the key.
	Node *yaml.Node
}

// VarFact is a var and the resource that it reads from.
type VarFact struct {
	Var    kustomization.Var
	Source *resource.Resource
}

// ReferenceFact is a field that holds the name of a resource.
type ReferenceFact struct {
	Referrer, Target *resource.Resource
	// Node is the name, and Written what it was before the build gave it the name
	// that the target has in the end.
	Node, Written *yaml.Node
}

func Join(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func (l *Layer) CountChanges(entry *yaml.Node, count int) {
	if l.Facts.Changed == nil {
		l.Facts.Changed = map[*yaml.Node]int{}
	}
	l.Facts.Changed[entry] += count
}
