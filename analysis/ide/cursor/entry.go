package cursor

import (
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Entry is an entry of a kustomization that changes resources, in whatever field or
// file it stands, and what builds said of it.
type Entry struct {
	Layer *builder.Layer
	Node  *yaml.Node
	// What names the entry to people, verb says what it does to resources.
	What, Verb string
	// Transformer is the only one whose steps count, empty for all.
	Transformer string
	// Resources are those that it was applied to, where the trace says so.
	Resources []*resource.Resource
	// Source and sourcePath are what a var reads; nil for anything else.
	Source     *resource.Resource
	SourcePath string
	// IsWide is true for what looks at every resource once: only a replay tells what
	// it changes.
	IsWide bool
	// concerns tells cheaply whether a resource may be changed; nil for all.
	concerns func(*resource.Resource) bool

	// Replacement is set for a replacement, fact where it was applied.
	Replacement *kustomization.Replacement
	Fact        *builder.ReplacementFact
	// Patches are the facts of a patch entry.
	Patches []builder.PatchFact
}

// EntryAt finds the entry that the cursor is in; nil where it is in none.
func EntryAt(u *workspace.Scope, c Cursor) *Entry {
	for _, l := range u.Layers(c.File) {
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

func replacementAt(u *workspace.Scope, l *builder.Layer, c Cursor) *Entry {
	for i := range l.Facts.Replacements {
		fact := &l.Facts.Replacements[i]
		if c.At(fact.Entry.Node) || c.IsWhole(fact.Entry.Node) {
			return ReplacementEntry(l, fact)
		}
	}
	for i := range l.Kustomization.Replacements {
		r := &l.Kustomization.Replacements[i]
		if r.Path.Node == nil && c.At(r.Node) {
			return &Entry{Layer: l, Node: r.Node, What: "Replacement", Verb: "writes to", Replacement: r}
		}
	}
	return nil
}

func ReplacementEntry(l *builder.Layer, fact *builder.ReplacementFact) *Entry {
	return &Entry{Layer: l, Node: fact.Entry.Node, What: "Replacement", Verb: "writes to", Replacement: fact.Entry, Fact: fact}
}

// IsWhole tells whether the node is the root of the file, as that of a file with
// one replacement is.
func (c Cursor) IsWhole(n *yaml.Node) bool {
	return len(c.Steps) > 0 && workspace.SameNode(c.Steps[0].Parent, n)
}

// patchAt finds the entry of a patch: by the entry in the kustomization file, or
// by the patch in a file of its own.
func patchAt(u *workspace.Scope, l *builder.Layer, c Cursor) *Entry {
	k := l.Kustomization
	for _, list := range [][]kustomization.Patch{k.Patches, k.PatchesJSON6902} {
		for _, p := range list {
			if c.At(p.Node) {
				return patchEntry(l, p.Node)
			}
		}
	}
	for _, t := range k.PatchesStrategicMerge {
		if c.At(t.Node) {
			return patchEntry(l, t.Node)
		}
	}
	for _, fact := range l.Facts.Patches {
		if fact.Patch != nil && (c.At(fact.Patch) || c.IsWhole(fact.Patch)) {
			e := newPatchEntry(l, fact.Entry)
			for _, same := range l.Facts.Patches {
				if workspace.SameNode(same.Patch, fact.Patch) {
					e.Patches = append(e.Patches, same)
				}
			}
			return e
		}
	}
	return nil
}

func newPatchEntry(l *builder.Layer, node *yaml.Node) *Entry {
	return &Entry{Layer: l, Node: node, What: "Patch", Verb: "applies to"}
}

func patchEntry(l *builder.Layer, node *yaml.Node) *Entry {
	e := newPatchEntry(l, node)
	for _, fact := range l.Facts.Patches {
		if workspace.SameNode(fact.Entry, node) {
			e.Patches = append(e.Patches, fact)
		}
	}
	return e
}

// Targets returns the resources that the entry was applied to, each once.
func (e *Entry) Targets() []*resource.Resource {
	lists := [][]*resource.Resource{e.Resources}
	if e.Fact != nil {
		lists = append(lists, e.Fact.Targets)
	}
	for _, fact := range e.Patches {
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

// Copied returns the value that the path of the replacement's source led to; nil where
// only a part of it was copied.
func (e *Entry) Copied() *yaml.Node {
	if options := e.Replacement.Source.Options; options != nil && options.Delimiter.Value != "" {
		return nil
	}
	return e.Fact.Value
}

// FirstTargets tells of the first resources that the entry was applied to, up to a limit.
func (e *Entry) FirstTargets(limit int) func(*resource.Resource) bool {
	kept := Origins{}
	targets := e.Targets()
	for _, r := range targets[:min(len(targets), limit)] {
		kept.Add(r)
	}
	return kept.Have
}

// IsPatchList tells of what may be a JSON6902 patch.
func IsPatchList(n *yaml.Node) bool {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return false
	}
	_, op := syntax.Field(n.Content[0], "op")
	return op != nil
}
