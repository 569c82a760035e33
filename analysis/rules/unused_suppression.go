package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     analysis.UnusedSuppression,
	Class:    analysis.Own,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Warning,
	Title:    "A comment suppresses nothing",
	Why: "`# kls:ignore RULE reason` on a line or above it (above an entry of a list: for the whole entry), or\n" +
		"`# kls:ignore-file RULE reason` for the file, keeps a rule from being reported there. This one names a\n" +
		"rule that finds nothing there, or no rule at all: what it was written for is mended, or has moved, or is\n" +
		"reported in spite of it.",
	Remedy: "Remove the comment, or correct the name. Several rules are separated by commas without a blank.",
})
