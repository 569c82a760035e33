package builder

import (
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// adviser looks for what a mistake was meant to be, and for what works and is hardly meant. Nothing that it finds changes
// what is built.
type adviser struct {
	loader
	effects patchEffects
}

// patchEffects remembers of each entry of patches and replacements whether it
// changed anything.
// It is kept for diagnostics only.
type patchEffects map[*yaml.Node]bool

// watch looks at a resource before and after a step. One that met a mistake
// counts as one that changed something: the mistake is reported.
func (b *adviser) watch(step Step, r *resource.Resource) (after func()) {
	switch {
	case comparesNodes(step.Transformer):
	case step.Transformer == "NamespaceTransformer":
		id := r.ID()
		return func() {
			if r.ID() != id {
				step.Layer.countChanges(step.Entry, 1)
			}
		}
	default:
		if countsAlways(step.Transformer) {
			step.Layer.countChanges(step.Entry, 1)
		}
		return nothing // replacements say themselves what they change
	}
	if b.effects[step.Entry] {
		return nothing // one change is enough
	}
	if !r.Shares() {
		return nothing // who changes nodes that nobody else has says himself what he changes
	}
	before, problems := r.Node, len(b.problems)
	return func() {
		changed := len(b.problems) > problems || r.Node == nil || !sameNode(before, r.Node)
		b.noteEffect(step.Entry, changed)
	}
}

// noteEffect remembers whether an entry changed a resource that it was applied to.
func (b *adviser) noteEffect(entry *yaml.Node, changed bool) {
	if b.effects == nil {
		b.effects = patchEffects{}
	}
	b.effects[entry] = b.effects[entry] || changed
}

// comparesNodes tells of a transformer that a resource counts as changed by it where its
// nodes are not the same afterwards.
func comparesNodes(transformer string) bool {
	switch transformer {
	case "PatchTransformer", "PatchStrategicMergeTransformer", "PatchJson6902Transformer":
		return true
	}
	return false
}

// countsAlways tells of a transformer that every resource it comes to counts as changed.
func countsAlways(transformer string) bool {
	switch transformer {
	case "PrefixTransformer", "SuffixTransformer", "LabelTransformer", "AnnotationsTransformer":
		return true
	}
	return false
}

// reportIdlePatches reports the patches of a layer that were applied and changed
// nothing, over which kustomize says nothing.
func (b *adviser) reportIdlePatches(l *Layer) {
	reported := map[*yaml.Node]bool{}
	for _, f := range l.Facts.Patches {
		changed, applied := b.effects[f.Entry]
		if !applied || changed || reported[f.Entry] || onlyTests(f.Patch) {
			continue
		}
		reported[f.Entry] = true
		p := Problem{Code: PatchNoChange, Node: f.Entry, Message: "the patch changes nothing: what it sets is there already"}
		for _, r := range f.Targets[:min(len(f.Targets), maxCandidates)] {
			p.Related = append(p.Related, Related{Node: nameNode(r), Message: "applied to " + r.ID().String()})
		}
		b.report(l, p)
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

// sameNode compares what nodes say, not how or where it is written.
func sameNode(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Value != b.Value || a.ShortTag() != b.ShortTag() || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !sameNode(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

func nothing() {}

// watchOperations notes what operations change of a resource: they make new nodes of all that it has.
func (b *adviser) watchOperations(step Step, r *resource.Resource) (after func()) {
	if !b.options.Analyze || b.effects[step.Entry] {
		return nothing
	}
	before, problems := r.Node, len(b.problems)
	if hasInternal(r) && !r.Shares() {
		before = syntax.Copy(before)
	}
	return func() {
		b.noteEffect(step.Entry, len(b.problems) > problems || r.Node == nil || !sameNode(before, r.Node))
	}
}
