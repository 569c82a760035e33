package transform

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/patch"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/selector"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// ApplyPatches applies the entries of the field patches.
func (b *Transformer) ApplyPatches(l *trace.Layer, acc *accumulator.Accumulator, entries []patchEntry) {
	for _, e := range entries {
		if b.Stopped() {
			return
		}
		b.applyPatch(l, acc, e)
		b.NoteTransformer(l, acc, "PatchTransformer")
	}
}

// applyPatch is PatchTransformerPlugin.Transform.
func (b *Transformer) applyPatch(l *trace.Layer, acc *accumulator.Accumulator, e patchEntry) {
	step := trace.Step{Layer: l, Transformer: "PatchTransformer", Entry: e.node}
	if len(e.merges) > 1 {
		l.Use(trace.SeveralPatches, e.node)
	}
	switch {
	case e.operations != nil:
		b.applyOperations(l, acc, step, e, true)
	case e.target != nil:
		b.mergeIntoSelected(l, acc, step, e)
	default:
		for _, p := range e.merges {
			if r := b.findTarget(l, acc, e, p); r != nil {
				b.mergeIntoOne(l, acc, step, e, r, p)
				l.Facts.Patches = append(l.Facts.Patches, e.fact(p, r))
			}
		}
	}
	DropEmpty(acc)
}

// ApplyStrategicMerges is PatchStrategicMergeTransformerPlugin.Transform.
func (b *Transformer) ApplyStrategicMerges(l *trace.Layer, acc *accumulator.Accumulator, entries []patchEntry) {
	for _, e := range entries {
		step := trace.Step{Layer: l, Transformer: "PatchStrategicMergeTransformer", Entry: e.node}
		for _, p := range e.merges {
			if r := b.findTarget(l, acc, e, p); r != nil {
				p = withStringMetadata(p)
				setField(p, "apiVersion", r.ID().APIVersion())
				b.mergeIntoOne(l, acc, step, e, r, p)
				l.Facts.Patches = append(l.Facts.Patches, e.fact(p, r))
			}
		}
	}
	DropEmpty(acc)
}

// ApplyJSONPatches applies the entries of the field patchesJson6902.
func (b *Transformer) ApplyJSONPatches(l *trace.Layer, acc *accumulator.Accumulator, entries []patchEntry) {
	for _, e := range entries {
		b.applyJSONPatch(l, acc, e)
		b.NoteTransformer(l, acc, "PatchJson6902Transformer")
	}
}

// applyJSONPatch is PatchJson6902TransformerPlugin.Transform.
func (b *Transformer) applyJSONPatch(l *trace.Layer, acc *accumulator.Accumulator, e patchEntry) {
	b.applyOperations(l, acc, trace.Step{Layer: l, Transformer: "PatchJson6902Transformer", Entry: e.node}, e, false)
	DropEmpty(acc)
}

// reportMalformed reports the malformed selectors of a target that was asked, and
// tells whether there are any.
func (b *Transformer) reportMalformed(l *trace.Layer, m *selector.Matcher) bool {
	problems := m.Malformed()
	for _, p := range problems {
		b.Report(l, p)
	}
	return len(problems) > 0
}

func (b *Transformer) mergeIntoSelected(l *trace.Layer, acc *accumulator.Accumulator, step trace.Step, e patchEntry) {
	p := withStringMetadata(e.merges[0])
	targets := acc.Selected(e.target)
	if b.reportMalformed(l, e.target) || !b.ChargeCopies(l, acc, e.node, p, len(targets)) {
		return
	}
	b.mergeIntoAll(l, acc, step, e, targets, e.merges[0], func(r *resource.Resource) *yaml.Node {
		// kustomize gives the patch the target's apiVersion, an empty one included.
		setField(p, "apiVersion", r.ID().APIVersion())
		return p
	})
	b.notePatch(l, acc, e, e.merges[0], targets)
	if e.options.AllowKindChange || e.options.AllowNameChange {
		b.checkUnique(l, acc, targets, e.node)
	}
}

// mergeIntoAll merges a patch, made ready for each of them, into resources.
func (b *Transformer) mergeIntoAll(l *trace.Layer, acc *accumulator.Accumulator, step trace.Step, e patchEntry, targets []*resource.Resource, p *yaml.Node, ready func(*resource.Resource) *yaml.Node) {
	b.Each(targets, memo.Work{Step: step, Key: memo.StepKey{Transformer: step.Transformer, Details: fmt.Sprint(e.options), Content: []*yaml.Node{p}, Cause: nil},
		Change: func(_ int, r *resource.Resource) (any, bool) {
			b.applyMerge(l, acc, step, e, r, ready(r))
			return nil, true
		}})
}

func (b *Transformer) mergeIntoOne(l *trace.Layer, acc *accumulator.Accumulator, step trace.Step, e patchEntry, r *resource.Resource, p *yaml.Node) {
	b.mergeIntoAll(l, acc, step, e, []*resource.Resource{r}, p, func(*resource.Resource) *yaml.Node { return p })
}

// checkUnique reports resources whose identity came to equal another's.
func (b *Transformer) checkUnique(l *trace.Layer, acc *accumulator.Accumulator, changed []*resource.Resource, entry *yaml.Node) {
	for _, r := range changed {
		if r.Empty() {
			continue
		}
		if same := acc.Set.WithCurrent(r.ID()); len(same) > 1 && same[0] != r {
			b.reportTwo(l, entry, same[0], r)
		}
	}
}

func (b *Transformer) reportTwo(l *trace.Layer, entry *yaml.Node, first, second *resource.Resource) {
	b.Report(l, problem.Problem{Code: problem.DuplicateResource, Fatal: true, Node: entry,
		Message: "with this patch there would be two " + second.ID().String(),
		Related: []problem.Related{{Node: problem.NameNode(first), Message: "one"}, {Node: problem.NameNode(second), Message: "the other"}}})
}

// applyMerge merges a patch into a resource (Resource.ApplySmPatch): name, kind
// and namespace stay, unless the patch may change them.
func (b *Transformer) applyMerge(l *trace.Layer, acc *accumulator.Accumulator, step trace.Step, e patchEntry, r *resource.Resource, p *yaml.Node) {
	problems := len(b.Problems)
	var changes patch.Changes
	b.Change(step, r, func(x *resource.Edit) {
		b.ReportLosses(step.Layer, r, p)
		var err *patch.Refusal
		if changes, err = b.merge(acc, e, x, p); err != nil {
			b.Unfinished = true
			b.ReportMergeFailure(l, e.node, r, err)
		}
	})
	if b.Options.Analyze && !b.Effects[step.Entry] {
		b.NoteEffect(step.Entry, len(b.Problems) > problems || r.Node == nil || changes.Any())
	}
}

func (b *Transformer) merge(acc *accumulator.Accumulator, e patchEntry, r *resource.Edit, p *yaml.Node) (patch.Changes, *patch.Refusal) {
	id, places := r.ID(), identityPlaces(r.Resource)
	if e.options.AllowNameChange || e.options.AllowKindChange {
		r.StorePrevious()
	}
	b.MergedBuiltin = true
	r.Own()
	merged, changes, err := patch.StrategicMerge(r.Node, p, *b.Schema.Schema)
	if err != nil {
		return changes, err
	}
	r.Put(merged)
	if wipesAnnotations(p) {
		r.State = resource.State{Behavior: resource.Unspecified, RefVars: r.RefVars}
		r.Origin, r.Transformations = nil, nil
	}
	if r.Empty() {
		r.Put(nil)
		acc.Emptied = true
		return changes, nil
	}
	if !e.options.AllowKindChange {
		setField(r.Node, "kind", id.Kind)
	}
	if metadata := ensureMap(r.Node, "metadata"); metadata != nil {
		if !e.options.AllowNameChange {
			setField(metadata, "name", id.Name)
		}
		if id.Namespace == "" {
			ClearField(metadata, "namespace")
		} else {
			setField(metadata, "namespace", id.Namespace)
		}
	}
	places.restore(r.Resource)
	return changes, nil
}

// places are where the kind, name and namespace of a resource were written. A
// patch must not take them away with a value that is not kept.
type places struct{ kind, name, namespace yaml.Node }

func identityPlaces(r *resource.Resource) (p places) {
	if _, n := syntax.Field(r.Node, "kind"); n != nil {
		p.kind = *n
	}
	if _, n := syntax.Field(r.Metadata(), "name"); n != nil {
		p.name = *n
	}
	if _, n := syntax.Field(r.Metadata(), "namespace"); n != nil {
		p.namespace = *n
	}
	return p
}

func (p places) restore(r *resource.Resource) {
	put := func(m *yaml.Node, field string, old *yaml.Node) {
		if _, n := syntax.Field(m, field); n != nil && n.Value == old.Value && old.Line != 0 {
			syntax.CopyPlace(n, old)
		}
	}
	put(r.Node, "kind", &p.kind)
	put(r.Metadata(), "name", &p.name)
	put(r.Metadata(), "namespace", &p.namespace)
}

// setField sets a field to a text without a tag, as RNode.SetMapField does: an
// existing value keeps its style, a new one is quoted where YAML 1.1 would not
// take it for a string.
func setField(m *yaml.Node, name, value string) {
	_, old := syntax.Field(m, name)
	if old == nil {
		n := &yaml.Node{Kind: yaml.ScalarNode, Value: value}
		if scalar.NonStringInYAML11(value) {
			n.Style = yaml.DoubleQuotedStyle
		}
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, n)
		return
	}
	old.Kind, old.Value, old.Tag, old.Content = yaml.ScalarNode, value, "", nil
}

// withStringMetadata returns a copy of a patch whose labels and annotations are
// strings, sorted, and gone where they are empty or null: kustomize does that to
// a patch before it merges it by target (Resource.CopyMergeMetaDataFieldsFrom).
func withStringMetadata(p *yaml.Node) *yaml.Node {
	p = syntax.Copy(p)
	_, metadata := syntax.Field(p, "metadata")
	for _, name := range []string{"labels", "annotations"} {
		_, m := syntax.Field(metadata, name)
		if m == nil {
			continue
		}
		if m.Kind != yaml.MappingNode || len(m.Content) == 0 {
			ClearField(metadata, name)
			continue
		}
		for i := 1; i < len(m.Content); i += 2 {
			m.Content[i] = stringNode(m.Content[i])
		}
	}
	return p
}

// wipesAnnotations tells whether a patch removes or replaces all annotations, and
// so what kustomize remembers in them.
func wipesAnnotations(p *yaml.Node) bool {
	_, metadata := syntax.Field(p, "metadata")
	_, annotations := syntax.Field(metadata, "annotations")
	for _, m := range []*yaml.Node{metadata, annotations} {
		if m == nil {
			continue
		}
		if _, directive := syntax.Field(m, "$patch"); m.Tag == "!!null" ||
			directive != nil && (directive.Value == "replace" || directive.Value == "delete") {
			return true
		}
	}
	return false
}

// applyOperations applies a JSON6902 patch to the resources that its target selects.
func (b *Transformer) applyOperations(l *trace.Layer, acc *accumulator.Accumulator, step trace.Step, e patchEntry, remember bool) {
	targets := acc.Selected(e.target)
	if b.reportMalformed(l, e.target) {
		return
	}
	b.Each(targets, memo.Work{Step: step, Copies: memo.NothingOwned,
		Key: memo.StepKey{Transformer: step.Transformer, Details: fmt.Sprint(remember), Content: []*yaml.Node{e.operations.Tree}, Cause: nil},
		Change: func(_ int, r *resource.Resource) (any, bool) {
			b.applyOperationsTo(l, acc, step, e, r, remember)
			return nil, true
		}})
	b.notePatch(l, acc, e, e.operations.Tree, targets)
}

func (b *Transformer) applyOperationsTo(l *trace.Layer, acc *accumulator.Accumulator, step trace.Step, e patchEntry, r *resource.Resource, remember bool) {
	changed := b.WatchOperations(step, r)
	b.Change(step, r, func(x *resource.Edit) {
		if remember {
			x.StorePrevious()
		}
		restore := advice.Nothing
		if load.HasInternal(r) {
			x.OwnField("metadata")
			if namesAnnotations(e.operations.List) {
				restore = showInternal(x)
			}
			ensureAnnotations(x)
		}
		failed := b.applyOperation(l, acc, e, x)
		restore()
		if !failed {
			dropEmptyAnnotations(x)
		}
	})
	changed()
}

// dropEmptyAnnotations takes out annotations without any: kustomize writes them anew
// after a JSON6902 patch.
func dropEmptyAnnotations(r *resource.Edit) {
	metadata := r.Metadata()
	if _, annotations := syntax.Field(metadata, "annotations"); annotations != nil && len(annotations.Content) == 0 {
		ClearField(metadata, "annotations")
	}
}

func ensureAnnotations(r *resource.Edit) {
	metadata := ensureMap(r.Node, "metadata")
	if metadata == nil {
		return
	}
	if _, annotations := syntax.Field(metadata, "annotations"); annotations == nil || annotations.Tag == "!!null" {
		ClearField(metadata, "annotations")
		add(metadata, "annotations", &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"})
	}
}

// notePatch records what a patch with a target was applied to, and reports where
// that is nothing, over which kustomize says nothing.
func (b *Transformer) notePatch(l *trace.Layer, acc *accumulator.Accumulator, e patchEntry, p *yaml.Node, targets []*resource.Resource) {
	l.Facts.Patches = append(l.Facts.Patches, e.fact(p, targets...))
	if len(targets) == 0 && !acc.Unknown {
		b.ReportNoTarget(l, acc, e.target, e.node)
	}
}

func field(n *yaml.Node, name string) (key, value *yaml.Node) { return syntax.Field(n, name) }

// findTarget finds the resource that a strategic merge patch without a target
// names (resWrangler.GetById); nil, with the problem reported, where it is not one.
func (b *Transformer) findTarget(l *trace.Layer, acc *accumulator.Accumulator, e patchEntry, p *yaml.Node) *resource.Resource {
	named := load.NewResource(p, e.node)
	id := named.OriginalID()
	found := acc.Set.WithAny(id)
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		several := problem.Problem{Code: problem.PatchSeveralTargets, Fatal: true, Node: problem.NameNode(named),
			Message: fmt.Sprintf("the patch matches %d resources named %s; it must match exactly one", len(found), id)}
		for _, r := range found[:min(len(found), advice.MaxCandidates)] {
			several.Related = append(several.Related, problem.Related{Node: problem.NameNode(r), Message: r.ID().String()})
		}
		b.Report(l, several)
	case !acc.Unknown:
		p, meant := b.NoMatch(acc, named, id)
		b.Report(l, p)
		if meant != nil {
			return meant // what follows from the mistake is not reported too
		}
	}
	b.Unfinished = true
	return nil
}
