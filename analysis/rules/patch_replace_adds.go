package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-replace-adds",
	Class:    analysis.Patches,
	Severity: analysis.Info,
	Title:    "replace adds a field that is not there",
	Why: "By RFC 6902 `replace` needs the field that it replaces. kustomize adds the last part of the path if\n" +
		"it is missing, and fails if an earlier part is. A typing mistake in the last part goes unnoticed.",
	Remedy: "Write `op: add`, which does the same and says so, or correct the path.",
})
