package builder

import (
	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// runGenerators makes the config maps and secrets of a layer and adds each, or
// merges it with what is there (KustTarget.runGenerators).
func (b *builder) runGenerators(l *trace.Layer, acc *accumulator.Accumulator) {
	options := l.Kustomization.GeneratorOptions
	for i := range l.Kustomization.ConfigMapGenerator {
		b.Generate(l, acc, &l.Kustomization.ConfigMapGenerator[i], "ConfigMap", options, b.FieldOrigin(l, "ConfigMapGenerator"))
	}
	for i := range l.Kustomization.SecretGenerator {
		b.Generate(l, acc, &l.Kustomization.SecretGenerator[i], "Secret", options, b.FieldOrigin(l, "SecretGenerator"))
	}
	b.RunHelm(l, acc)
	b.runExternalGenerators(l, acc)
}

// runTransformers applies the fields of a layer that change resources, in
// kustomize's order (KustTarget.configureBuiltinTransformers): first all patch
// files are read, since a mistake in one is met before anything is changed.
func (b *builder) runTransformers(l *trace.Layer, acc *accumulator.Accumulator) {
	k := l.Kustomization
	strategic := b.ReadStrategicMerges(l, load.LeaveOut(&b.Loader, l.Half, k.PatchesStrategicMerge, func(t *kustomization.Text) *yaml.Node { return t.Node }))
	patches := b.ReadPatches(l, load.LeaveOut(&b.Loader, l.Half, k.Patches, load.PatchNode))
	jsonPatches := b.ReadJSONPatches(l, load.LeaveOut(&b.Loader, l.Half, k.PatchesJSON6902, load.PatchNode))
	replacements := b.ReadReplacements(l, load.LeaveOut(&b.Loader, l.Half, k.Replacements, load.ReplacementNode))
	replicas := load.LeaveOut(&b.Loader, l.Half, k.Replicas, func(r *kustomization.Replica) *yaml.Node { return r.Node })
	images := load.LeaveOut(&b.Loader, l.Half, k.Images, func(i *kustomization.Image) *yaml.Node { return i.Node })
	if !b.observe(transform.BeforeTransformers, l, acc) {
		return
	}

	b.ApplyStrategicMerges(l, acc, strategic)
	b.NoteEach(l, acc, "PatchStrategicMergeTransformer", min(len(strategic), 1))
	b.ApplyPatches(l, acc, patches)
	if b.Stopped() {
		return
	}
	if k.Namespace.Value != "" {
		b.SetNamespace(l, acc, transform.NamespaceChange{Value: k.Namespace, Fields: acc.Config.Namespace})
		b.NoteTransformer(l, acc, "NamespaceTransformer")
	}
	if k.NamePrefix.Value != "" {
		b.AddPrefix(l, acc, "PrefixTransformer", k.NamePrefix, acc.Config.NamePrefix)
		b.NoteTransformer(l, acc, "PrefixTransformer")
	}
	if k.NameSuffix.Value != "" {
		b.AddSuffix(l, acc, "SuffixTransformer", k.NameSuffix, acc.Config.NameSuffix)
		b.NoteTransformer(l, acc, "SuffixTransformer")
	}
	b.AddLabels(l, acc)
	b.AddAnnotations(l, acc)
	b.ApplyJSONPatches(l, acc, jsonPatches)
	b.SetReplicas(l, acc, replicas, acc.Config.Replicas)
	b.NoteEach(l, acc, "ReplicaCountTransformer", len(k.Replicas))
	if b.Stopped() {
		return
	}
	b.SetImages(l, acc, images, acc.Config.Images)
	b.NoteEach(l, acc, "ImageTagTransformer", len(k.Images))
	if !b.observe(transform.BeforeReplacements, l, acc) {
		return
	}
	if len(k.Replacements) > 0 {
		b.Replace(l, acc, replacements)
		b.NoteTransformer(l, acc, "ReplacementTransformer")
	}
	b.Steps = nil // what a plugin does hangs on more than its entry
	b.runExternal(l, acc)
	b.ReportUselessPatches(l)
}

// accumulate builds a layer: its resources, generators and components, then its
// transformers on all of them. The order is kustomize's
// (KustTarget.accumulateTarget in api/internal/target). A component continues
// the accumulator of the layer that includes it.
func (b *builder) accumulate(l *trace.Layer, acc *accumulator.Accumulator) *accumulator.Accumulator {
	outer := b.Effects
	b.Effects = nil
	defer func() { b.Effects = outer }()
	acc.Unknown = acc.Unknown || l.LosesResources
	b.Unfinished = b.Unfinished || l.LosesFields
	b.Budget.Begin("including what " + l.Dir + " names")
	b.addResources(l, acc)
	b.Budget.Begin("transforming the resources of " + l.Dir)
	b.MergeConfig(l, acc)
	if !b.observe(transform.BeforeGenerators, l, acc) {
		return acc
	}
	b.runGenerators(l, acc)
	b.addComponents(l, acc)
	b.Budget.Begin("transforming the resources of " + l.Dir)
	if b.options.Incoming && l.Parent == nil {
		return acc
	}
	if b.options.Keep != nil && l.Path == b.options.Observed {
		acc.Set.Retain(b.options.Keep)
		acc.Unknown = true
	}
	done := b.takeSteps(l, acc)
	b.runTransformers(l, acc)
	done()
	if b.Stopped() {
		return acc
	}
	b.runValidators(l, acc)
	b.MergeVars(l, acc)
	return acc
}

// finish does what is done once, after all layers (KustTarget.makeCustomizedResMap
// and Kustomizer.Run in api/krusty).
func (b *builder) finish(l *trace.Layer, acc *accumulator.Accumulator) {
	if b.Stopped() {
		return
	}
	b.Finals.BeforeFinish(acc.Set.List())
	b.Budget.Begin("updating references between resources")
	b.AddHashes(l, acc)
	b.FixReferences(l, acc)
	if b.Stopped() {
		return
	}
	b.ResolveVars(l, acc)
	b.DropLocalConfig(acc)
	wrong := b.CheckIdentities(l, acc)
	b.SortResources(l, acc)
	b.AddManagedBy(l, acc)
	resources := acc.Set.List()
	parallel.ForEach(len(resources), func(i int) { b.Finals.Clean(resources[i], transform.CleanMetadata) })
	b.WriteOrigins(l, acc)
	b.Finals.AfterFinish(resources, wrong)
}

// observe hands the observer, if there is one, what is loaded. It tells whether to go
// on: where not, nothing of it may be touched any more.
func (b *builder) observe(moment transform.Moment, l *trace.Layer, acc *accumulator.Accumulator) (goOn bool) {
	if b.options.Observer == nil {
		return true
	}
	if !b.Stopped() {
		b.options.Observer(moment, &transform.Loaded{Layer: l, B: &b.Transformer, Acc: acc})
	}
	return !b.Stopped()
}
