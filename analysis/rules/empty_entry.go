package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "empty-entry",
	Class:    analysis.Kustomization,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Warning,
	Title:    "A list has an entry without a value",
	Why: `A dash with nothing behind it is an empty entry. kustomize reads it as one without any field, which
does nothing or fails later at an unexpected place.`,
	Remedy: `Remove the dash, or write the entry.`,
})
