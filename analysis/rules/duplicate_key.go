package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "duplicate-key",
	Class:    analysis.Kustomization,
	Severity: analysis.Warning,
	Title:    "A key stands twice in one mapping",
	Why: "kustomize takes the later of two equal keys in a kustomization file and drops the earlier without a\n" +
		"word: of two `resources` lists only the second counts. In some other files it refuses them.",
	Remedy: `Put the two together, or remove one.`,
})
