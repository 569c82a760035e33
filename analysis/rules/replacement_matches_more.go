package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-matches-more",
	Class:    analysis.Replacements,
	Severity: analysis.Warning,
	Title:    "A list element is selected by a pattern that matches more",
	Why: "In a target's field path, `[name=web]` is a regular expression that may match a part: it also hits\n" +
		"`web-sidecar`, and all that it hits is written. In a source's field path the same text is compared\n" +
		"as it is.",
	Remedy: "Anchor it: `[name=^web$]`.",
})
