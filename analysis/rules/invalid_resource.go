package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "invalid-resource",
	Class:    analysis.Resources,
	Severity: analysis.Error,
	Title:    "A document is no Kubernetes resource",
	Why: "Every document of a file under `resources` has to be an object with `kind` and `metadata.name` (a\n" +
		"list, whose kind ends in `List`, needs no name). kustomize refuses a file with any other document,\n" +
		"as a Helm values file or a kustomization file listed by mistake.",
	Remedy: "Complete the object, or take the file out of `resources`.",
})
