package builder

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Layer is one kustomization in the tree of a build. A folder that is included
// twice makes two layers.
type Layer struct {
	// Dir is the folder, absolute and without symbolic links; Path the
	// kustomization file in it.
	Dir, Path string
	File      text.FileID
	// Kustomization is never nil; a file that cannot be read gives an empty one.
	Kustomization *kustomization.Kustomization
	// Parent is the layer that includes this one, Entry the node of its entry.
	Parent *Layer
	Entry  *yaml.Node
	// Component is true where it was included as a component.
	Component bool
	// Origin is the folder as origin annotations name it; nil where the build
	// does not write them.
	Origin *resource.Origin
	// Repository is what Entry names where that is a git repository; nil for a
	// folder. Clone is the folder, without symbolic links, of the repository that
	// Dir lies in; empty outside of one. kustomize never lets a kustomization in a
	// clone read what lies outside its own folder, whatever the load restrictor.
	Repository *RepositoryURL
	Clone      string

	Facts Facts

	// losesResources and losesFields say what could not be read of the file.
	losesResources, losesFields bool
	// half are the entries of the file that are left out.
	half halfTyped
}

// included calls yield for the layer and those that include it, the nearest first.
// It ends at a repository: kustomize clones into a folder of its own each time, so
// that no folder outside can be met again.
func (l *Layer) included(yield func(*Layer) bool) {
	for up := l; up != nil && yield(up); up = up.Parent {
		if up.Repository != nil {
			return
		}
	}
}

// accumulator is what a layer hands to the one that includes it: kustomize's
// ResAccumulator.
type accumulator struct {
	set    *resource.Set
	config *kustomization.TransformerConfig // nil before the first merge
	vars   []varEntry
	// unknown is true once something that was not loaded could have added
	// resources here: what is missing from the set is then not known.
	unknown bool
	// emptied is true while the set may hold resources without content.
	emptied bool
	// from is what it was taken from, nil where the layer was built.
	from *outcome
}

func newAccumulator() *accumulator {
	return &accumulator{set: &resource.Set{}}
}

// accumulate builds a layer: its resources, generators and components, then its
// transformers on all of them. The order is kustomize's
// (KustTarget.accumulateTarget in api/internal/target). A component continues
// the accumulator of the layer that includes it.
func (b *builder) accumulate(l *Layer, acc *accumulator) *accumulator {
	outer := b.effects
	b.effects = nil
	defer func() { b.effects = outer }()
	acc.unknown = acc.unknown || l.losesResources
	b.unfinished = b.unfinished || l.losesFields
	b.addResources(l, acc)
	b.mergeConfig(l, acc)
	if !b.observe(BeforeGenerators, l, acc) {
		return acc
	}
	b.runGenerators(l, acc)
	b.addComponents(l, acc)
	if b.options.Incoming && l.Parent == nil {
		return acc
	}
	if b.options.Keep != nil && l.Path == b.options.Observed {
		acc.set.Retain(b.options.Keep)
		acc.unknown = true
	}
	done := b.takeSteps(l, acc)
	b.runTransformers(l, acc)
	done()
	if b.stopped() {
		return acc
	}
	b.runValidators(l, acc)
	b.mergeVars(l, acc)
	return acc
}

// finish does what is done once, after all layers (KustTarget.makeCustomizedResMap
// and Kustomizer.Run in api/krusty).
func (b *builder) finish(l *Layer, acc *accumulator) {
	if b.stopped() {
		return
	}
	b.finals.beforeFinish(acc.set.List())
	b.addHashes(l, acc)
	b.fixReferences(l, acc)
	if b.stopped() {
		return
	}
	b.resolveVars(l, acc)
	b.dropLocalConfig(acc)
	wrong := b.checkIdentities(l, acc)
	b.sortResources(l, acc)
	b.addManagedBy(l, acc)
	resources := acc.set.List()
	onAllCores(len(resources), func(i int) { b.finals.clean(resources[i]) })
	b.writeOrigins(l, acc)
	b.finals.afterFinish(resources, wrong)
}
