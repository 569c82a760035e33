package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "deprecated-field",
	Class:    analysis.Style,
	Mark:     analysis.Deprecated,
	Severity: analysis.Hint,
	Title:    "A field is deprecated",
	Why: `The field still works in kustomize v5.8.2, and a newer one does the same better. Some are announced
to go with the next version of the file format.`,
	Remedy: "Use the field that replaces it. `kustomize edit fix` rewrites most of them.",
})
