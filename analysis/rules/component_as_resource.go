package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "component-as-resource",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A component is listed under resources",
	Why: "A component changes what the kustomization that includes it has gathered so far. That needs the\n" +
		"field `components`; under `resources` kustomize refuses it.",
	Remedy: "Move the entry to `components`.",
})
