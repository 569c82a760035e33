package ide

import (
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// entry is an entry of a kustomization that changes resources, in whatever field or
// file it stands, and what builds said of it.
type entry struct {
	layer *builder.Layer
	node  *yaml.Node
	// what names the entry to people, verb says what it does to resources.
	what, verb string
	// transformer is the only one whose steps count, empty for all.
	transformer string
	// resources are those that it was applied to, where the trace says so.
	resources []*resource.Resource
	// source and sourcePath are what a var reads; nil for anything else.
	source     *resource.Resource
	sourcePath string
	// isWide is true for what looks at every resource once: only a replay tells what
	// it changes.
	isWide bool
	// concerns tells cheaply whether a resource may be changed; nil for all.
	concerns func(*resource.Resource) bool

	// replacement is set for a replacement, fact where it was applied.
	replacement *kustomization.Replacement
	fact        *builder.ReplacementFact
	// patches are the facts of a patch entry.
	patches []builder.PatchFact
}

// entryAt finds the entry that the cursor is in; nil where it is in none.
func entryAt(u *workspace.Scope, c cursor) *entry {
	for _, l := range u.Layers(c.file) {
		if e := replacementAt(u, l, c); e != nil {
			return e
		}
		if e := patchAt(u, l, c); e != nil {
			return e
		}
		if e := transformerAt(u, l, c); e != nil {
			return e
		}
	}
	return nil
}

func replacementAt(u *workspace.Scope, l *builder.Layer, c cursor) *entry {
	for i := range l.Facts.Replacements {
		fact := &l.Facts.Replacements[i]
		if c.at(fact.Entry.Node) || c.isWhole(fact.Entry.Node) {
			return replacementEntry(l, fact)
		}
	}
	for i := range l.Kustomization.Replacements {
		r := &l.Kustomization.Replacements[i]
		if r.Path.Node == nil && c.at(r.Node) {
			return &entry{layer: l, node: r.Node, what: "Replacement", verb: "writes to", replacement: r}
		}
	}
	return nil
}

func replacementEntry(l *builder.Layer, fact *builder.ReplacementFact) *entry {
	return &entry{layer: l, node: fact.Entry.Node, what: "Replacement", verb: "writes to", replacement: fact.Entry, fact: fact}
}

// isWhole tells whether the node is the root of the file, as that of a file with
// one replacement is.
func (c cursor) isWhole(n *yaml.Node) bool {
	return len(c.Steps) > 0 && sameNode(c.Steps[0].Parent, n)
}

// patchAt finds the entry of a patch: by the entry in the kustomization file, or
// by the patch in a file of its own.
func patchAt(u *workspace.Scope, l *builder.Layer, c cursor) *entry {
	k := l.Kustomization
	for _, list := range [][]kustomization.Patch{k.Patches, k.PatchesJSON6902} {
		for _, p := range list {
			if c.at(p.Node) {
				return patchEntry(l, p.Node)
			}
		}
	}
	for _, t := range k.PatchesStrategicMerge {
		if c.at(t.Node) {
			return patchEntry(l, t.Node)
		}
	}
	for _, fact := range l.Facts.Patches {
		if fact.Patch != nil && (c.at(fact.Patch) || c.isWhole(fact.Patch)) {
			e := newPatchEntry(l, fact.Entry)
			for _, same := range l.Facts.Patches {
				if sameNode(same.Patch, fact.Patch) {
					e.patches = append(e.patches, same)
				}
			}
			return e
		}
	}
	return nil
}

func newPatchEntry(l *builder.Layer, node *yaml.Node) *entry {
	return &entry{layer: l, node: node, what: "Patch", verb: "applies to"}
}

func patchEntry(l *builder.Layer, node *yaml.Node) *entry {
	e := newPatchEntry(l, node)
	for _, fact := range l.Facts.Patches {
		if sameNode(fact.Entry, node) {
			e.patches = append(e.patches, fact)
		}
	}
	return e
}

// targets returns the resources that the entry was applied to, each once.
func (e *entry) targets() []*resource.Resource {
	lists := [][]*resource.Resource{e.resources}
	if e.fact != nil {
		lists = append(lists, e.fact.Targets)
	}
	for _, fact := range e.patches {
		lists = append(lists, fact.Targets)
	}
	seen := map[*resource.Resource]bool{}
	var targets []*resource.Resource
	for _, list := range lists {
		for _, r := range list {
			if !seen[r] {
				seen[r] = true
				targets = append(targets, r)
			}
		}
	}
	return targets
}

// copied returns the value that the path of the replacement's source led to; nil where
// only a part of it was copied.
func (e *entry) copied() *yaml.Node {
	if options := e.replacement.Source.Options; options != nil && options.Delimiter.Value != "" {
		return nil
	}
	return e.fact.Value
}

// firstTargets tells of the first resources that the entry was applied to, up to a limit.
func (e *entry) firstTargets(limit int) func(*resource.Resource) bool {
	kept := origins{}
	targets := e.targets()
	for _, r := range targets[:min(len(targets), limit)] {
		kept.add(r)
	}
	return kept.have
}
