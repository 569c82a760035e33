package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "proposal-only-spelling",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A spelling was only proposed",
	Why: "Proposals and old documentation show spellings that no release of kustomize has, such as `file` in a\n" +
		"patch or a mapping as `labelSelector`. kustomize refuses them.",
	Remedy: `Use the form that works; the fix does.`,
})
