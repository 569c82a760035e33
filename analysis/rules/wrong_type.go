package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "wrong-type",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A value has the wrong type",
	Why: "A field got a list where it takes a mapping, a mapping where it takes text, and so on. kustomize\n" +
		"refuses the file, with a message about Go types. A dash that is missing or too many is the usual\n" +
		"cause; next comes an unquoted `true`, `on` or number where text is meant.",
	Remedy: `Write the value as the field takes it; quote what is meant as text.`,
})
