package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "several-patches-with-target",
	Class:    analysis.Patches,
	Severity: analysis.Error,
	Title:    "An entry with a target holds several patches",
	Why:      "An entry with a `target` takes one patch; kustomize refuses a file with several documents there.",
	Remedy:   `Leave the target out, where each document names its resource, or make an entry of each.`,
})
