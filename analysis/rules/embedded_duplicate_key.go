package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "embedded-duplicate-key",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A key stands twice in a document to merge",
	Why: "Programs disagree about which of two equal keys counts. The merge would have to write one of them,\n" +
		"so it does not.",
	Remedy: "Remove one of them.",
})
