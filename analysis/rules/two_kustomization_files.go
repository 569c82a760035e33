package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "two-kustomization-files",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A folder has more than one kustomization file",
	Why:      `kustomize looks for three names in a folder, and refuses to choose where several exist.`,
	Remedy:   `Remove all but one of them.`,
})
