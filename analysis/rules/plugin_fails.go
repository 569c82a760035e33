package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "plugin-fails",
	Class:    analysis.Outside,
	Severity: analysis.Error,
	Title:    "A plugin or function fails",
	Why:      `The program was run and failed, so the build does.`,
	Remedy:   `See what the program said.`,
})
