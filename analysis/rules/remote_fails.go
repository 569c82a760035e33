package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "remote-fails",
	Class:    analysis.Outside,
	Severity: analysis.Error,
	Title:    "Something remote cannot be loaded",
	Why: `The repository or file was fetched, since that was allowed, and it is not there or cannot be read.
kustomize refuses the build.`,
	Remedy: "Correct the address or the `ref`; see the message for what the other side said.",
})
