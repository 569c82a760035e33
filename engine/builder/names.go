package builder

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// addPrefix is kustomize's PrefixTransformer, also as a part of another transformer.
func (b *transformer) addPrefix(l *Layer, acc *accumulator, transformer string, prefix kustomization.Text, fields []kustomization.FieldSpec) {
	b.affix(l, acc, prefix, transformer, fields,
		func(r *resource.Edit) {
			r.Prefixes = append(r.Prefixes[:len(r.Prefixes):len(r.Prefixes)], prefix.Value)
		},
		func(name string) string { return prefix.Value + name })
}

// addSuffix is kustomize's SuffixTransformer, also as a part of another transformer.
func (b *transformer) addSuffix(l *Layer, acc *accumulator, transformer string, suffix kustomization.Text, fields []kustomization.FieldSpec) {
	b.affix(l, acc, suffix, transformer, fields,
		func(r *resource.Edit) {
			r.Suffixes = append(r.Suffixes[:len(r.Suffixes):len(r.Suffixes)], suffix.Value)
		},
		func(name string) string { return name + suffix.Value })
}

func (b *transformer) affix(l *Layer, acc *accumulator, affix kustomization.Text, transformer string,
	fields []kustomization.FieldSpec, remember func(*resource.Edit), rename func(string) string) {
	step := Step{Layer: l, Transformer: transformer, Entry: affix.Node}
	specs := newSpecs(fields)
	b.each(acc.set.List(), work{step: step, copies: "metadata",
		key:     stepKey{transformer, "", []*yaml.Node{step.Entry}, nil},
		comesTo: func(r *resource.Resource) bool { return !keepsName(r.OriginalID()) },
		change: b.edit(step, func(e *resource.Edit) {
			for _, spec := range specs.of(e.OriginalID()) {
				if spec.Path == "metadata/name" && affix.Value != "" {
					remember(e)
					e.StorePrevious()
				}
				if now := e.ID(); !now.IsSelected(spec.Group, spec.Version, spec.Kind) {
					continue
				}
				err := spec.applyTo(e, creation{yaml.ScalarNode, "!!str"}, func(n *yaml.Node) *walkError {
					return setScalar(n, rename(n.Value), "", affix.Node)
				})
				if err != nil {
					b.reportWalk(l, affix.Node, e.Resource, spec, err)
				}
			}
		}),
	})
}

// keepsName tells of the kinds whose names have a meaning of their own
// (prefixFieldSpecsToSkip).
func keepsName(id resource.ID) bool {
	return id.Kind == "CustomResourceDefinition" || id.Kind == "Namespace" ||
		id.Kind == "APIService" && id.Group == "apiregistration.k8s.io"
}
