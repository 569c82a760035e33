package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "malformed-plugin",
	Class:    analysis.Outside,
	Severity: analysis.Error,
	Title:    "The configuration of a plugin cannot be used",
	Why: "A file that `generators`, `transformers` or `validators` names has to describe one of the built-in\n" +
		"plugins, with what that plugin needs, or a function. kustomize refuses it otherwise.",
	Remedy: `Complete the configuration, or list it under the field that fits the plugin.`,
})
