package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "embedded-layout-unmergeable",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A document is laid out so that kls cannot change it",
	Why: "kls changes the text of the base and nothing around what changes. A few unusual spellings, such as\n" +
		"keys that are lists or that have no colon, do not allow that.",
	Remedy: "Write the entry as `key: value`.",
})
