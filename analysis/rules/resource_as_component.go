package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "resource-as-component",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A kustomization is listed under components",
	Why: "`components` takes folders whose kustomization file says `kind: Component`. kustomize refuses any\n" +
		"other.",
	Remedy: "Move the entry to `resources`, or make it a component: `kind: Component` and `apiVersion:\n" +
		"kustomize.config.k8s.io/v1alpha1`.",
})
