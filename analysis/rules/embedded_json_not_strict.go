package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "embedded-json-not-strict",
	Class:    analysis.Generators,
	Severity: analysis.Warning,
	Title:    "A JSON document is not strict JSON",
	Why: "The document is read and merged: as YAML it has a meaning. The program that gets it may well read\n" +
		"JSON only, and refuse words without quotes, single quotes, comments or a comma after the last\n" +
		"member.",
	Remedy: "Write it as JSON allows it.",
})
