package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-source-changed-later",
	Class:    analysis.Replacements,
	Severity: analysis.Warning,
	Title:    "A replacement copies a value that a later one changes",
	Why: "Replacements run one after the other, in the order of the file. This one reads its source before\n" +
		"another one writes to it, so its targets get the old value.",
	Remedy: `Move this replacement behind the one that writes to its source.`,
})
