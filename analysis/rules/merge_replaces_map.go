package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "merge-replaces-map",
	Class:    analysis.Generators,
	Severity: analysis.Warning,
	Title:    "A map meets what is no map",
	Why: "Maps are merged key by key. Where only one side has a map the overlay's value replaces the base's as\n" +
		"a whole, with all that was in it.",
	Remedy: "Give the value the same shape on both sides. To replace it on purpose is fine.",
})
