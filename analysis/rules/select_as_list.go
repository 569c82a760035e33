package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "select-as-list",
	Class:    analysis.Replacements,
	Severity: analysis.Error,
	Title:    "select is written as a list",
	Why: "The proposal for replacements prints `select` as a list, and so do many copies of it. kustomize\n" +
		"takes a mapping and refuses a list.",
	Remedy: `Remove the dash.`,
})
