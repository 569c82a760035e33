package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "empty-kustomization",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A kustomization file has no fields",
	Why: "kustomize refuses a file without any field but `kind` and `apiVersion`. A file in which everything\n" +
		"is commented out is such a file.",
	Remedy: "List something under `resources`, or remove the file and what includes it. `resources: []` is enough\n" +
		"for kustomize.",
})
