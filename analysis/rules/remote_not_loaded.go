package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:       "remote-not-loaded",
	Class:      analysis.Outside,
	Severity:   analysis.Info,
	NeverFails: true,
	Title:      "Something remote was not loaded",
	Why: "kls fetches nothing by itself. What a remote resource would add is not known: the verdict is\n" +
		"`unknown`, and nothing is reported that it could mend.",
	Remedy: "Nothing has to be done. To be sure of such a kustomization, load what it names with\n" +
		"`--enable-remote`: it is fetched once into a cache, from which `--offline` takes it later.",
})
