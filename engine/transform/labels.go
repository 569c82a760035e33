package transform

import (
	"sort"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// AddLabels is kustomize's LabelTransformer: each entry of labels, then
// commonLabels.
func (b *Transformer) AddLabels(l *trace.Layer, acc *accumulator.Accumulator) {
	for _, label := range l.Kustomization.Labels {
		specs, conflict := labelSpecs(label, acc.Config)
		if conflict != nil {
			b.ReportConflict(l, label.Node, conflict)
			continue
		}
		b.addPairs(l, acc, trace.Step{Layer: l, Transformer: "LabelTransformer", Entry: label.Node}, label.Pairs, specs)
		b.NoteTransformer(l, acc, "LabelTransformer")
	}
	if len(l.Kustomization.Labels)+len(l.Kustomization.CommonLabels) > 0 {
		defer b.NoteTransformer(l, acc, "LabelTransformer") // kustomize runs it for no commonLabels too
	}
	if pairs := l.Kustomization.CommonLabels; len(pairs) > 0 {
		_, entry := kustomization.FieldNode(l.Kustomization.Node, "commonLabels")
		b.addPairs(l, acc, trace.Step{Layer: l, Transformer: "LabelTransformer", Entry: entry}, pairs, acc.Config.CommonLabels)
	}
}

// labelSpecs are the fields that an entry of labels is written to.
func labelSpecs(label kustomization.Label, config *kustomization.TransformerConfig) ([]kustomization.FieldSpec, *kustomization.Conflict) {
	specs, conflict := kustomization.MergeFieldSpecs(label.FieldSpecs, config.Labels)
	merge := func(more []kustomization.FieldSpec) {
		if conflict == nil {
			specs, conflict = kustomization.MergeFieldSpecs(specs, more)
		}
	}
	if label.IncludeSelectors {
		merge(config.CommonLabels)
		return specs, conflict
	}
	if label.IncludeTemplates {
		merge(config.TemplateLabels)
	}
	if label.IncludeVolumeClaimTemplates {
		merge(config.VolumeClaimTemplateLabels)
	}
	merge([]kustomization.FieldSpec{{Path: "metadata/labels", Create: true}})
	return specs, conflict
}

// AddAnnotations is kustomize's AnnotationsTransformer.
func (b *Transformer) AddAnnotations(l *trace.Layer, acc *accumulator.Accumulator) {
	pairs := l.Kustomization.CommonAnnotations
	if len(pairs) == 0 {
		return
	}
	_, entry := kustomization.FieldNode(l.Kustomization.Node, "commonAnnotations")
	b.addPairs(l, acc, trace.Step{Layer: l, Transformer: "AnnotationsTransformer", Entry: entry}, pairs, acc.Config.CommonAnnotations)
	b.NoteTransformer(l, acc, "AnnotationsTransformer")
}

// addPairs writes labels or annotations, sorted by key. In a resource all fields
// that do not have a key yet get the same node for it, as in kustomize.
func (b *Transformer) addPairs(l *trace.Layer, acc *accumulator.Accumulator, step trace.Step, pairs []kustomization.Pair, fields []kustomization.FieldSpec) {
	if len(pairs) == 0 {
		return
	}
	pairs = append([]kustomization.Pair(nil), pairs...)
	sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].Key.Value < pairs[j].Key.Value })
	specs := newSpecs(fields)
	size := 0
	for _, pair := range pairs {
		size += len(pair.Key.Value) + len(pair.Value.Value)
	}
	if !b.Charge(l, acc, step.Entry, 2*len(pairs), size, acc.Set.Len()) {
		return
	}
	b.Each(acc.Set.List(), memo.Work{Step: step, Copies: "metadata",
		Key: memo.StepKey{Transformer: step.Transformer, Details: "", Content: []*yaml.Node{step.Entry}, Cause: nil},
		Change: b.Edit(step, func(e *resource.Edit) {
			keys := newKeyIndex(len(pairs))
			for _, pair := range pairs {
				b.addPair(l, step, e, pair, specs, keys)
			}
		}),
	})
}

func (b *Transformer) addPair(l *trace.Layer, step trace.Step, r *resource.Edit, pair kustomization.Pair, specs *specsByKind, keys keyIndex) {
	value := quoted(&yaml.Node{Kind: yaml.ScalarNode, Value: pair.Value.Value, Tag: "!!str"})
	if pair.Value.Node != nil {
		syntax.CopyPlace(value, pair.Value.Node)
	}
	added := 0
	specs.each(r, func(spec fieldSpec) {
		err := spec.applyTo(r, creation{yaml.MappingNode, "!!map"}, func(n *yaml.Node) *walkError {
			old := keys.value(n, pair.Key.Value)
			if old == nil {
				added++
			}
			return putEntry(n, pair.Key.Value, old, value)
		})
		if err != nil {
			b.reportWalk(l, step.Entry, r.Resource, spec, err)
		}
	})
	if added > 1 {
		r.Tangle()
	}
}

// AddManagedBy marks every resource as made by kustomize, where the build or its
// buildMetadata asks for it (Kustomizer.Run).
func (b *Transformer) AddManagedBy(l *trace.Layer, acc *accumulator.Accumulator) {
	wanted := b.Options.AddManagedByLabel
	var entry *yaml.Node
	for _, option := range l.Kustomization.BuildMetadata {
		if option.Value == managedByOption {
			wanted, entry = true, option.Node
		}
	}
	if !wanted {
		return
	}
	version := managedByVersion
	if b.Options.Overlay != nil && b.Options.Overlay.Library {
		version = libraryVersion
	}
	pair := kustomization.Pair{
		Key:   kustomization.Text{Value: "app.kubernetes.io/managed-by"},
		Value: kustomization.Text{Value: "kustomize-" + version, Node: entry},
	}
	b.addPairs(l, acc, trace.Step{Layer: l, Transformer: managedByOption, Entry: entry}, []kustomization.Pair{pair},
		[]kustomization.FieldSpec{{Path: "metadata/labels", Create: true}})
}

// managedByVersion is the version that kustomize v5.8.2 writes into the label.
const managedByVersion = "v5.8.2"

// libraryVersion is what a program writes that uses kustomize as a library.
const libraryVersion = "(devel)"
