package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "include-cycle",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A kustomization includes itself",
	Why: `Following the entries leads back to a folder that is being built, or to a folder that contains it.
kustomize refuses that.`,
	Remedy: `Remove the entry that closes the circle. What two kustomizations share belongs into a base of its
own.`,
})
