package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "conflicting-field-specs",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "Two field specs contradict each other",
	Why: "The transformer configurations that come together in a build name the same field of the same kind,\n" +
		"once with `create` and once without. kustomize refuses to choose. Its own configuration counts too.",
	Remedy: `Make them agree, or remove one.`,
})
