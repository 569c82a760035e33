package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "ambiguous-reference",
	Class:    analysis.References,
	Severity: analysis.Error,
	Title:    "A reference could mean several resources",
	Why: `Something refers to a resource by a name that several have, or had before they were renamed.
kustomize has to write the new name there, and refuses to choose.`,
	Remedy: `Make the names differ in the bases, or add the namespace to the reference.`,
})
