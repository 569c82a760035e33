package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "generator-duplicate-key",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A generator has a key twice",
	Why: "Two sources of one generator give the same key. kustomize refuses to choose. The key of a file is\n" +
		"its name, unless it is written `key=path`.",
	Remedy: `Remove one of them, or give it another key.`,
})
