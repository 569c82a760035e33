package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "duplicate-resource",
	Class:    analysis.Resources,
	Severity: analysis.Error,
	Title:    "Two resources have the same identity",
	Why: `Group, kind, namespace and name together identify a resource, and one build cannot have two of one
identity: kustomize refuses what it calls an ID conflict. Often the same file is reached on two
ways, or two bases become equal when the overlay puts them into one namespace.`,
	Remedy: "Include it only once, or make them differ, as with a `namePrefix` in one of the bases. To change a\n" +
		"generated ConfigMap or Secret, give the generator `behavior: merge`.",
})
