package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-several-sources",
	Class:    analysis.Replacements,
	Severity: analysis.Error,
	Title:    "The source of a replacement matches several resources",
	Why:      `A value can be copied from one resource only. kustomize refuses a source that fits several.`,
	Remedy:   "Add what tells them apart: `kind`, `namespace`, `group`.",
})
