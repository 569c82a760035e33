package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-no-match",
	Class:    analysis.Patches,
	Severity: analysis.Error,
	Title:    "A patch names a resource that is not there",
	Why: "A strategic merge patch without `target` is for the one resource that has its kind, name and\n" +
		"namespace. There is none, and kustomize says `no matches for Id` followed by an identity. kls shows\n" +
		"in what the nearest resources differ.",
	Remedy: "Correct what differs, or select the resource with a `target`. Resources can be named as the base\n" +
		"names them or as the overlays so far do; a namespace that an overlay sets later does not count yet.",
})
