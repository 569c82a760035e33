package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-no-source",
	Class:    analysis.Replacements,
	Severity: analysis.Error,
	Title:    "The source of a replacement matches nothing",
	Why: `The source names one resource by kind, name, namespace and so on, each literally. There is none, so
kustomize refuses the build.`,
	Remedy: `Correct the source. Original and current names both count; a generated ConfigMap goes by its name
without hash.`,
})
