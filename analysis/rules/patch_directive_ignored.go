package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-directive-ignored",
	Class:    analysis.Patches,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Warning,
	Title:    "$patch: replace on an element of a list does nothing",
	Why: "In a list whose elements merge by a key, such as containers, kustomize heeds `$patch: delete` on one\n" +
		"element, and `$patch: replace` only as an element of its own, for the whole list. An element with\n" +
		"`$patch: replace` beside its key leaves everything as it was.",
	Remedy: "Set the single fields, with null for those that are to go, or replace the element with a JSON6902\n" +
		"patch.",
})
