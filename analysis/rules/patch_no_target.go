package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-no-target",
	Class:    analysis.Patches,
	Severity: analysis.Warning,
	Elective: true,
	Title:    "The target of a patch selects nothing",
	Why: "kustomize applies a patch with a `target` to every resource that the target selects, and says\n" +
		"nothing where that is none. A typing mistake there, or a base that renamed something, drops the\n" +
		"patch without a word.",
	Remedy: "Correct the target, or remove the patch. `name`, `kind` and the other fields are regular expressions\n" +
		"that must match whole; a resource can be selected by its original and by its current name.",
})
