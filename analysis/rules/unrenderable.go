package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "unrenderable",
	Class:    analysis.Resources,
	Severity: analysis.Error,
	Title:    "A resource cannot be printed",
	Why: `The resource was read and transformed, and holds something that kustomize cannot print: a key that
is no string, a key twice, a number that JSON does not have, a forbidden character. kustomize
refuses at the end of the build and names no line.`,
	Remedy: `Correct the value at the place that is shown.`,
})
