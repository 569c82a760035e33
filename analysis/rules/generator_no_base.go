package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "generator-no-base",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A generator merges with or replaces what is not there",
	Why: "`behavior: merge` and `replace` need a ConfigMap or Secret of that name and namespace from a base.\n" +
		"There is none, so kustomize refuses the build.",
	Remedy: `Correct the name or namespace, or remove the behavior to create it.`,
})
