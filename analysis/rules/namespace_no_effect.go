package rules

import (
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// checkNamespaceNoEffect asks of the root only: what an inner layer sets, outer
// ones may overwrite on purpose.
func checkNamespaceNoEffect(p *analysis.Pass) {
	if p.Result.Root.Kustomization.Namespace.Value == "" || len(p.Result.Resources) == 0 {
		return
	}
	namespace := p.Result.Root.Kustomization.Namespace
	for _, r := range p.Result.Resources {
		if r.ID().Namespace == namespace.Value || holds(r.Node, namespace.Value) {
			return
		}
	}
	p.Report(builder.Problem{Node: namespace.Node, Layer: p.Result.Root,
		Message: "no resource gets the namespace: all of them are cluster-scoped"})
}

// holds tells whether a field called namespace, or the name of a Namespace, has
// the value.
func holds(n *yaml.Node, value string) bool {
	for _, field := range []string{"namespace", "name"} {
		if _, v := syntax.Field(n, field); v != nil && v.Kind == yaml.ScalarNode && v.Value == value {
			return true
		}
	}
	for _, child := range n.Content {
		if holds(child, value) {
			return true
		}
	}
	return false
}
