package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:       "external-not-run",
	Class:      analysis.Outside,
	Severity:   analysis.Info,
	NeverFails: true,
	Title:      "A chart or a function was not run",
	Why: "Helm charts, functions and external plugins are programs, and kls starts none by itself. What they\n" +
		"would render or change is not known: the verdict is `unknown`, and nothing is reported that they\n" +
		"could mend.",
	Remedy: "Nothing has to be done. To be sure of such a kustomization, allow what it needs with the flags of\n" +
		"`kustomize build`: `--enable-helm`, `--enable-alpha-plugins` and `--enable-exec`.",
})
