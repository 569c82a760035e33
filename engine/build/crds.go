package build

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// mergeCRDs takes what the files of crds say of their types into the
// configuration: which fields hold names, labels and annotations
// (accumulator.LoadConfigFromCRDs).
func (b *builder) mergeCRDs(l *Layer, acc *accumulator) {
	for _, path := range l.Kustomization.Crds {
		root, id, ok := b.loadConfig(l, path)
		if !ok {
			continue
		}
		config, problems := kustomization.ReadCRDs(root)
		for _, p := range problems {
			b.report(l, fromKustomization(p, id))
		}
		b.mergeInto(l, acc, config, path.Node)
	}
}
