package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "chart-fails",
	Class:    analysis.Outside,
	Severity: analysis.Error,
	Title:    "A chart cannot be rendered",
	Why:      `helm was run, since that was allowed, and failed, so the build does.`,
	Remedy:   "See what helm said. `kls` runs it with the same arguments as kustomize.",
})
