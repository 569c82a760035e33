package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-source-path-unresolved",
	Class:    analysis.Replacements,
	Severity: analysis.Error,
	Title:    "The field path of a source leads nowhere",
	Why: `The resource does not have the field, so there is nothing to copy, and the build fails. kustomize's
message names the path; kls says which part of it fails.`,
	Remedy: "Correct the part that is shown. A dot that belongs to a key is written `\\.`; an element of a list is\n" +
		"a number or `[key=value]`.",
})
