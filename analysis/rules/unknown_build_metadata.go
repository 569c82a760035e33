package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "unknown-build-metadata",
	Class:    analysis.Kustomization,
	Severity: analysis.Warning,
	Title:    "An option of buildMetadata does not exist",
	Why:      `kustomize ignores an option that it does not know, without a word: no annotation or label is added.`,
	Remedy:   "Use `originAnnotations`, `transformerAnnotations` or `managedByLabel`.",
})
