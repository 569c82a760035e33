package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-no-target",
	Class:    analysis.Replacements,
	Severity: analysis.Warning,
	Title:    "A target of a replacement selects nothing",
	Why: "kustomize writes to every resource that `select` matches, and says nothing where there is none. A\n" +
		"typing mistake leaves the old value in place.",
	Remedy: "Correct `select`. Its fields are regular expressions that must match whole.",
})
