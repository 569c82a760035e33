// Package advice helps people: it finds what a mistake was meant to be, and what works though it is hardly meant. Nothing
// that it finds changes what is built.
package advice

import (
	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// Adviser looks for what a mistake was meant to be, and for what works and is hardly meant. Nothing that it finds changes
// what is built.
type Adviser struct {
	load.Loader
	Effects patchEffects
}

// patchEffects remembers of each entry of patches and replacements whether it
// changed anything.
// It is kept for diagnostics only.
type patchEffects map[*yaml.Node]bool

// Watch looks at a resource before and after a step. One that met a mistake
// counts as one that changed something: the mistake is reported.
func (b *Adviser) Watch(step trace.Step, r *resource.Resource) (after func()) {
	switch {
	case ComparesNodes(step.Transformer):
	case step.Transformer == "NamespaceTransformer":
		id := r.ID()
		return func() {
			if r.ID() != id {
				step.Layer.CountChanges(step.Entry, 1)
			}
		}
	default:
		if CountsAlways(step.Transformer) {
			step.Layer.CountChanges(step.Entry, 1)
		}
		return Nothing // replacements say themselves what they change
	}
	if b.Effects[step.Entry] {
		return Nothing // one change is enough
	}
	if !r.Shares() {
		return Nothing // who changes nodes that nobody else has says himself what he changes
	}
	before, problems := r.Node, len(b.Problems)
	return func() {
		changed := len(b.Problems) > problems || r.Node == nil || !equal.Trees(before, r.Node)
		b.NoteEffect(step.Entry, changed)
	}
}

// NoteEffect remembers whether an entry changed a resource that it was applied to.
func (b *Adviser) NoteEffect(entry *yaml.Node, changed bool) {
	if b.Effects == nil {
		b.Effects = patchEffects{}
	}
	b.Effects[entry] = b.Effects[entry] || changed
}

// ComparesNodes tells of a transformer that a resource counts as changed by it where its
// nodes are not the same afterwards.
func ComparesNodes(transformer string) bool {
	switch transformer {
	case "PatchTransformer", "PatchStrategicMergeTransformer", "PatchJson6902Transformer":
		return true
	}
	return false
}

// CountsAlways tells of a transformer that every resource it comes to counts as changed.
func CountsAlways(transformer string) bool {
	switch transformer {
	case "PrefixTransformer", "SuffixTransformer", "LabelTransformer", "AnnotationsTransformer":
		return true
	}
	return false
}

// ReportUselessPatches reports the patches of a layer that were applied and changed
// nothing, over which kustomize says nothing.
func (b *Adviser) ReportUselessPatches(l *trace.Layer) {
	reported := map[*yaml.Node]bool{}
	for _, f := range l.Facts.Patches {
		changed, applied := b.Effects[f.Entry]
		if !applied || changed || reported[f.Entry] || onlyTests(f.Patch) {
			continue
		}
		reported[f.Entry] = true
		p := problem.Problem{Code: problem.PatchNoChange, Node: f.Entry, Message: "the patch changes nothing: what it sets is there already"}
		for _, r := range f.Targets[:min(len(f.Targets), MaxCandidates)] {
			p.Related = append(p.Related, problem.Related{Node: problem.NameNode(r), Message: "applied to " + r.ID().String()})
		}
		b.Report(l, p)
	}
}

// onlyTests tells whether a JSON6902 patch has nothing but tests, which are there
// to fail and not to change.
func onlyTests(patch *yaml.Node) bool {
	if patch == nil || patch.Kind != yaml.SequenceNode {
		return false
	}
	for _, operation := range patch.Content {
		if _, op := syntax.Field(operation, "op"); op == nil || op.Value != "test" {
			return false
		}
	}
	return true
}

func Nothing() {}

// WatchOperations notes what operations change of a resource: they make new nodes of all that it has.
func (b *Adviser) WatchOperations(step trace.Step, r *resource.Resource) (after func()) {
	if !b.Options.Analyze || b.Effects[step.Entry] {
		return Nothing
	}
	before, problems := r.Node, len(b.Problems)
	if load.HasInternal(r) && !r.Shares() {
		before = syntax.Copy(before)
	}
	return func() {
		b.NoteEffect(step.Entry, len(b.Problems) > problems || r.Node == nil || !equal.Trees(before, r.Node))
	}
}
