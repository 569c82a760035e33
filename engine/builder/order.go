package builder

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	yaml "go.yaml.in/yaml/v3"
)

// runGenerators makes the config maps and secrets of a layer and adds each, or
// merges it with what is there (KustTarget.runGenerators).
func (b *builder) runGenerators(l *Layer, acc *accumulator) {
	options := l.Kustomization.GeneratorOptions
	for i := range l.Kustomization.ConfigMapGenerator {
		b.generate(l, acc, &l.Kustomization.ConfigMapGenerator[i], "ConfigMap", options, b.fieldOrigin(l, "ConfigMapGenerator"))
	}
	for i := range l.Kustomization.SecretGenerator {
		b.generate(l, acc, &l.Kustomization.SecretGenerator[i], "Secret", options, b.fieldOrigin(l, "SecretGenerator"))
	}
	b.runHelm(l, acc)
	b.runExternalGenerators(l, acc)
}

// runTransformers applies the fields of a layer that change resources, in
// kustomize's order (KustTarget.configureBuiltinTransformers): first all patch
// files are read, since a mistake in one is met before anything is changed.
func (b *builder) runTransformers(l *Layer, acc *accumulator) {
	k := l.Kustomization
	strategic := b.readStrategicMerges(l, leaveOut(&b.loader, l.half, k.PatchesStrategicMerge, func(t *kustomization.Text) *yaml.Node { return t.Node }))
	patches := b.readPatches(l, leaveOut(&b.loader, l.half, k.Patches, patchNode))
	jsonPatches := b.readJSONPatches(l, leaveOut(&b.loader, l.half, k.PatchesJSON6902, patchNode))
	replacements := b.readReplacements(l, leaveOut(&b.loader, l.half, k.Replacements, replacementNode))
	replicas := leaveOut(&b.loader, l.half, k.Replicas, func(r *kustomization.Replica) *yaml.Node { return r.Node })
	images := leaveOut(&b.loader, l.half, k.Images, func(i *kustomization.Image) *yaml.Node { return i.Node })
	if !b.observe(BeforeTransformers, l, acc) {
		return
	}

	b.applyStrategicMerges(l, acc, strategic)
	b.noteEach(l, acc, "PatchStrategicMergeTransformer", min(len(strategic), 1))
	b.applyPatches(l, acc, patches)
	if b.stopped() {
		return
	}
	if k.Namespace.Value != "" {
		b.setNamespace(l, acc, namespaceChange{value: k.Namespace, fields: acc.config.Namespace})
		b.noteTransformer(l, acc, "NamespaceTransformer")
	}
	if k.NamePrefix.Value != "" {
		b.addPrefix(l, acc, "PrefixTransformer", k.NamePrefix, acc.config.NamePrefix)
		b.noteTransformer(l, acc, "PrefixTransformer")
	}
	if k.NameSuffix.Value != "" {
		b.addSuffix(l, acc, "SuffixTransformer", k.NameSuffix, acc.config.NameSuffix)
		b.noteTransformer(l, acc, "SuffixTransformer")
	}
	b.addLabels(l, acc)
	b.addAnnotations(l, acc)
	b.applyJSONPatches(l, acc, jsonPatches)
	b.setReplicas(l, acc, replicas, acc.config.Replicas)
	b.noteEach(l, acc, "ReplicaCountTransformer", len(k.Replicas))
	if b.stopped() {
		return
	}
	b.setImages(l, acc, images, acc.config.Images)
	b.noteEach(l, acc, "ImageTagTransformer", len(k.Images))
	if !b.observe(BeforeReplacements, l, acc) {
		return
	}
	if len(k.Replacements) > 0 {
		b.replace(l, acc, replacements)
		b.noteTransformer(l, acc, "ReplacementTransformer")
	}
	b.steps = nil // what a plugin does hangs on more than its entry
	b.runExternal(l, acc)
	b.reportIdlePatches(l)
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
	onAllCores(len(resources), func(i int) { b.finals.clean(resources[i], cleanMetadata) })
	b.writeOrigins(l, acc)
	b.finals.afterFinish(resources, wrong)
}

// observe hands the observer, if there is one, what is loaded. It tells whether to go
// on: where not, nothing of it may be touched any more.
func (b *builder) observe(moment Moment, l *Layer, acc *accumulator) (goOn bool) {
	if b.options.Observer == nil {
		return true
	}
	if !b.stopped() {
		b.options.Observer(moment, &Loaded{l, &b.transformer, acc})
	}
	return !b.stopped()
}
