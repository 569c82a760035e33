package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "unknown-field",
	Class:    analysis.Kustomization,
	Severity: analysis.Warning,
	Title:    "A field does not exist",
	Why: `kustomize refuses a kustomization file with a field that it does not know, and ignores such a field
in files that a kustomization names. Either way the field does not do what it was written for.`,
	Remedy: `Correct the name, or remove the field.`,
})
