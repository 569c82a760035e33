package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "embedded-several-documents",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A value to merge has several documents",
	Why:      "The parts of a merge are two documents. Which of several the overlay is for cannot be known.",
	Remedy:   "Keep one document in the value.",
})
