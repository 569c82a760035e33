package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-list-replaced",
	Class:    analysis.Patches,
	Severity: analysis.Warning,
	Title:    "A patch replaces a list of a custom resource, and elements get lost",
	Why: "Of the kinds that come with Kubernetes kustomize knows by which key the elements of a list merge:\n" +
		"containers by `name`. Of a custom resource it knows nothing, so the patch's list replaces the whole\n" +
		"list. It is reported where elements get lost that have other names than those of the patch.",
	Remedy: "Repeat the elements in the patch, change the one with a JSON6902 patch, or tell kustomize the merge\n" +
		"keys with a schema in `openapi`.",
})
