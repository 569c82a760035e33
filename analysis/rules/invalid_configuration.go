package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     analysis.InvalidConfiguration,
	Class:    analysis.Own,
	Severity: analysis.Warning,
	Title:    "The configuration of kls has a mistake",
	Why: "`.kls.yaml`, beside the kustomization or in a folder above it, says how kls checks and builds. What it\n" +
		"does not understand there has no effect; the rest counts.",
	Remedy: "Correct the key or the value. docs/configuration.md has them all, and docs/schema/kls.json is the JSON\n" +
		"Schema for editors.",
})
