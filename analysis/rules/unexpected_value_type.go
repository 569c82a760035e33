package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "unexpected-value-type",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A transformer finds a value of another type",
	Why: `A transformer (labels, namespace, images, replicas, name references and so on) goes to its fields
through every resource, and this resource has something else there: a list for a mapping, a mapping
for a word. kustomize refuses the build.`,
	Remedy: `Correct the resource.`,
})
