package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "unknown-merge-format",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A mergeValues entry has no format that kls knows",
	Why: "`format` says how the two values are read. It is `json` or `yaml`, in any case, and there is no\n" +
		"default.",
	Remedy: "Write `format: json` or `format: yaml`.",
})
