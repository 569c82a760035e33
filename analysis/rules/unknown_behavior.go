package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "unknown-behavior",
	Class:    analysis.Generators,
	Severity: analysis.Warning,
	Title:    "The behavior of a generator does not exist",
	Why: "kustomize takes a word that it does not know for no behavior at all, that is `create`, without\n" +
		"saying so.",
	Remedy: "Use `create`, `replace` or `merge`.",
})
