package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-fails",
	Class:    analysis.Patches,
	Severity: analysis.Error,
	Title:    "A patch cannot be applied",
	Why: "An operation of a JSON6902 patch has a path that is not there, a `test` does not hold, or a\n" +
		"strategic merge patch has another type of value at some place than the resource. kustomize refuses\n" +
		"the build.",
	Remedy: "Correct the patch. The path of a JSON6902 operation writes `/` in a key as `~1` and `~` as `~0`;\n" +
		"`/-` is the end of a list.",
})
