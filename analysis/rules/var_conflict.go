package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "var-conflict",
	Class:    analysis.Replacements,
	Severity: analysis.Error,
	Title:    "A var is not unique",
	Why: "Two vars have the same name, or the `objref` of one fits several resources. kustomize refuses the\n" +
		"build.",
	Remedy: "Rename one of the vars, or add what tells the resources apart. `replacements` do what vars do, and\n" +
		"more.",
})
