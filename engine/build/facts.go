package build

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
	Inputs       []Input
	// Features are what older releases of kustomize do not do. Those of
	// replacements are there with Options.Analyze only.
	Features []FeatureUse

	used map[FeatureUse]bool
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
	Patch   *yaml.Node
	Targets []*resource.Resource
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
}

// ImageFact is an entry of images and the nodes that it matched.
type ImageFact struct {
	Entry kustomization.Image
	Nodes []*yaml.Node
}

// newResource makes a resource of a node that belongs to it alone, taking over
// what the file says in kustomize's internal annotations.
func newResource(n *yaml.Node, entry *yaml.Node) *resource.Resource {
	r := &resource.Resource{Node: n, Entry: entry}
	adoptInternal(r)
	return r
}

func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
