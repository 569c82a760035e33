package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-several-targets",
	Class:    analysis.Patches,
	Severity: analysis.Error,
	Title:    "A patch names several resources",
	Why: "Two or more resources have, or had before a transformation, the kind and name of a patch without\n" +
		"`target`. kustomize refuses to choose.",
	Remedy: "Add the namespace to the patch, or select with a `target`.",
})
