package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "invalid-label-selector",
	Class:    analysis.Selectors,
	Severity: analysis.Error,
	Title:    "A label or annotation selector cannot be read",
	Why: "`labelSelector` and `annotationSelector` are written as kubectl's `-l`: `app=web,tier!=cache`, `env\n" +
		"in (a, b)`, `!legacy`. kustomize refuses the build over any other text.",
	Remedy: `Correct the text.`,
})
