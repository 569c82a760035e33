package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "invalid-regex",
	Class:    analysis.Selectors,
	Severity: analysis.Error,
	Title:    "A selector is no regular expression",
	Why: "The fields of `target`, `select` and `reject` are regular expressions in Go's syntax (RE2), and this\n" +
		"is none. `*` alone is the usual mistake: it repeats what stands before it, and nothing does.",
	Remedy: "Write `.*` for anything, and `\\` before a character that is meant as such.",
})
