package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "generator-without-name",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A generator has no name",
	Why:      `A generated ConfigMap or Secret needs a name; kustomize refuses the build.`,
	Remedy:   "Add `name`.",
})
