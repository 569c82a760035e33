package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "remote-not-loaded",
	Severity: analysis.Info,
	Title:    "Something remote was not loaded",
	Why: "kls fetches nothing by itself. What a remote resource would add is not known: the verdict is\n" +
		"`unknown`, and nothing is reported that it could mend.",
	Remedy: `Nothing has to be done. Build with kustomize to be sure of such a kustomization, or keep a copy of
the remote files beside it.`,
})
