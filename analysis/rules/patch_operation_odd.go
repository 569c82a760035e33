package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-operation-odd",
	Class:    analysis.Patches,
	Severity: analysis.Warning,
	Title:    "An operation of a JSON6902 patch does something odd",
	Why: "The operation works in kustomize, though hardly as it was meant: a `copy` of nothing or an operation\n" +
		"without `value` writes null, a `test` of what is not there passes.",
	Remedy: `Complete or correct the operation.`,
})
