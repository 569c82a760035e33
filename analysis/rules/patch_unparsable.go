package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-unparsable",
	Class:    analysis.Patches,
	Severity: analysis.Error,
	Title:    "A patch can be read neither as strategic merge nor as JSON6902",
	Why: "A strategic merge patch is a piece of a resource with its kind and name; a JSON6902 patch is a list\n" +
		"of operations, each with `op` and `path`. kustomize tries both, and shows the error of only one.",
	Remedy: `Make it one of the two.`,
})
