package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "malformed-generator-source",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A literal or file of a generator cannot be read",
	Why:      "A literal is `key=value`, a file is a path or `key=path`. kustomize refuses anything else.",
	Remedy:   `Write it in that form.`,
})
