package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "merge-key-on-one-side",
	Class:    analysis.Generators,
	Severity: analysis.Warning,
	Title:    "A mergeValues key is on one side only",
	Why: "Two documents are needed for a merge. With one, the value is taken as it is, as in a merge without\n" +
		"`mergeValues`. Often the key is spelled differently on the other side.",
	Remedy: "Use the same key on both sides, or remove the entry.",
})
