package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-all-rejected",
	Class:    analysis.Replacements,
	Severity: analysis.Warning,
	Title:    "A target of a replacement rejects all that it selects",
	Why: "`reject` takes away everything that `select` found, so nothing is written. An entry of `reject`\n" +
		"rejects what its id fields match and, besides, what its selectors match.",
	Remedy: "Narrow `reject` down, or remove the target.",
})
