package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "internal-error",
	Class:    analysis.Own,
	Severity: analysis.Error,
	Title:    "kls broke down",
	Why:      `Something in kls itself failed. Other kustomizations are not concerned.`,
	Remedy:   `Please report it, with the kustomization if you can.`,
})
