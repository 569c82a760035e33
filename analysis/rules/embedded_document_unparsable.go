package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "embedded-document-unparsable",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A value to merge cannot be read",
	Why: "The value stands for a JSON or YAML document and does not read as one, so nothing can be merged with\n" +
		"it.",
	Remedy: "Correct the document at the place shown, or the format.",
})
