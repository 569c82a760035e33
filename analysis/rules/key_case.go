package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "key-case",
	Class:    analysis.Style,
	Severity: analysis.Hint,
	Title:    "A field is written in another case",
	Why: `kustomize does not look at the case of field names, so this works. Other tools that read the file
do.`,
	Remedy: `Write the field as documented.`,
})
