package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "not-in-kustomize",
	Severity: analysis.Warning,
	Title:    "Only kls can do this",
	Why: "The kustomization uses what kls has and kustomize v5.8.2 has not. `kls build` renders it; `kustomize\n" +
		"build` and whatever uses it, such as Argo CD, Flux or `kubectl apply -k`, refuses it.",
	Remedy: `Use it only where kls renders what is deployed.`,
})
