package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "merge-value-not-text",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A value to merge is not text",
	Why: "A document is UTF-8 text. This value is not: it is binary, in another encoding, or, in a Secret, no\n" +
		"base64.",
	Remedy: "Remove the entry of `mergeValues`, or save the file as UTF-8.",
})
