package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-no-change",
	Class:    analysis.Replacements,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Info,
	Title:    "A replacement changes nothing",
	Why: "All fields that it writes have that value already. It may be left over, or its source may not be the\n" +
		"one that was meant.",
	Remedy: `Remove the replacement, unless it is there for overlays that change the source in a component.`,
})
