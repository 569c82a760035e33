package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-writes-nothing",
	Class:    analysis.Replacements,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Warning,
	Title:    "A replacement finds its place and writes nothing",
	Why: "At some places inside a document that is held in a string kustomize v5.8.2 builds without a word and\n" +
		"leaves everything as it was: in a document within a document, behind a `*`, in JSON with a key\n" +
		"twice, or where a word would replace a JSON number.",
	Remedy: `Reach the value on another way; see the message for what stands in the way.`,
})
