package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "wrong-kind",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "kind or apiVersion is not that of a kustomization",
	Why: "A kustomization file is of kind `Kustomization` with `kustomize.config.k8s.io/v1beta1`, or of kind\n" +
		"`Component` with `kustomize.config.k8s.io/v1alpha1`. kustomize refuses anything else. Both fields\n" +
		"may be missing.",
	Remedy: `Correct or remove the field.`,
})
