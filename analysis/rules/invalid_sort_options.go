package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "invalid-sort-options",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "sortOptions cannot be used",
	Why: "`order` is `legacy` or `fifo`, and `legacySortOptions` goes with `legacy` only. kustomize refuses\n" +
		"anything else.",
	Remedy: `Correct the field.`,
})
