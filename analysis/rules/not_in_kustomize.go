package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "not-in-kustomize",
	Class:    analysis.Kustomization,
	Severity: analysis.Warning,
	Title:    "kustomize cannot do this, or not in the release that is used",
	Why: "The kustomization uses what kls has and kustomize v5.8.2 has not. `kls build` renders it; `kustomize\n" +
		"build` and whatever uses it, such as Argo CD, Flux or `kubectl apply -k`, refuses it.\n\n" +
		"Where `.kls.yaml` says `kustomize: \"5.8\"` or another release, this is an error, and so is whatever came\n" +
		"with a later release than that: a field, several patches in one entry (5.2), or a target's path that goes\n" +
		"on inside a string (5.8).",
	Remedy: `Use it only where kls, or a release that has it, renders what is deployed.`,
})
