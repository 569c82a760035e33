package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "reject-mixes-selectors",
	Class:    analysis.Replacements,
	Severity: analysis.Warning,
	Title:    "A reject entry mixes id fields with selectors",
	Why: `One would expect both to have to match. kustomize rejects everything that the id fields match and,
besides, everything that the label and annotation selectors match.`,
	Remedy: "Use only one kind of field, or say in `select` what is wanted.",
})
