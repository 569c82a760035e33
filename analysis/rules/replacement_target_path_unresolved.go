package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-target-path-unresolved",
	Class:    analysis.Replacements,
	Severity: analysis.Error,
	Title:    "The field path of a target leads nowhere",
	Why: "The resource does not have the field, and `options.create` is not set, so the build fails.\n" +
		"kustomize's message names the path; kls says which part of it fails, also inside a document that is\n" +
		"held in a string.",
	Remedy: "Correct the part that is shown, or set `options.create: true` to add the field. A dot that belongs\n" +
		"to a key is written `\\.`.",
})
