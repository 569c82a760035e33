package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "malformed-patch-entry",
	Class:    analysis.Patches,
	Severity: analysis.Error,
	Title:    "An entry of patches lacks something or says too much",
	Why: "An entry needs either `path` or `patch`, not both, and one with a JSON6902 patch needs a `target`.\n" +
		"kustomize refuses it otherwise.",
	Remedy: `Complete the entry, or remove what is too much.`,
})
