package transform

import (
	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// AddPrefix is kustomize's PrefixTransformer, also as a part of another transformer.
func (b *Transformer) AddPrefix(l *trace.Layer, acc *accumulator.Accumulator, transformer string, prefix kustomization.Text, fields []kustomization.FieldSpec) {
	b.affix(l, acc, prefix, transformer, fields,
		func(r *resource.Edit) {
			r.Prefixes = append(r.Prefixes[:len(r.Prefixes):len(r.Prefixes)], prefix.Value)
		},
		func(name string) string { return prefix.Value + name })
}

// AddSuffix is kustomize's SuffixTransformer, also as a part of another transformer.
func (b *Transformer) AddSuffix(l *trace.Layer, acc *accumulator.Accumulator, transformer string, suffix kustomization.Text, fields []kustomization.FieldSpec) {
	b.affix(l, acc, suffix, transformer, fields,
		func(r *resource.Edit) {
			r.Suffixes = append(r.Suffixes[:len(r.Suffixes):len(r.Suffixes)], suffix.Value)
		},
		func(name string) string { return name + suffix.Value })
}

func (b *Transformer) affix(l *trace.Layer, acc *accumulator.Accumulator, affix kustomization.Text, transformer string,
	fields []kustomization.FieldSpec, remember func(*resource.Edit), rename func(string) string) {
	step := trace.Step{Layer: l, Transformer: transformer, Entry: affix.Node}
	specs := newSpecs(fields)
	b.Each(acc.Set.List(), memo.Work{Step: step, Copies: "metadata",
		Key:     memo.StepKey{Transformer: transformer, Details: "", Content: []*yaml.Node{step.Entry}, Cause: nil},
		ComesTo: func(r *resource.Resource) bool { return !keepsName(r.OriginalID()) },
		Change: b.Edit(step, func(e *resource.Edit) {
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
