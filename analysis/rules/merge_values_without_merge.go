package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "merge-values-without-merge",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "mergeValues without the behavior merge",
	Why: "`mergeValues` merges documents of the generator into those of a base. Only a generator with\n" +
		"`behavior: merge` has a base; one that creates or replaces has nothing to merge with.",
	Remedy: "Set `behavior: merge`, or remove `mergeValues`.",
})
