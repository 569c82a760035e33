package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "merge-key-missing",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A mergeValues key is on neither side",
	Why: "An entry of `mergeValues` names a key of the data whose value is a document. Neither the generator\n" +
		"nor the base has the key, so the entry does nothing: it is misspelt, or what it was for is gone.",
	Remedy: "Correct the key, or remove the entry.",
})
