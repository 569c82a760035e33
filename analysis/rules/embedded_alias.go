package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "embedded-alias",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "An alias or merge key stands where a merge would write",
	Why: "A value that several places share through an anchor, an alias or `<<` cannot be changed at one of\n" +
		"them without changing the others.",
	Remedy: "Write the value out where it is to be changed.",
})
