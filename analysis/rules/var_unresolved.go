package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "var-unresolved",
	Class:    analysis.Replacements,
	Severity: analysis.Error,
	Title:    "A var has no value",
	Why:      "No resource fits the `objref`, or the resource does not have the field. kustomize refuses the build.",
	Remedy:   "Correct the `objref` or the `fieldref`. `replacements` do what vars do, and more.",
})
