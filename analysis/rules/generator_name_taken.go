package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "generator-name-taken",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A generator creates what is there already",
	Why: "The base has a ConfigMap or Secret of that name already, and the generator's behavior is `create`,\n" +
		"which is also the default. kustomize refuses the build.",
	Remedy: "Set `behavior` to `merge` or `replace`, or choose another name.",
})
