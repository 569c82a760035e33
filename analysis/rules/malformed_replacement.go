package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "malformed-replacement",
	Class:    analysis.Replacements,
	Severity: analysis.Error,
	Title:    "A replacement lacks something or says too much",
	Why: "A replacement needs either `source` or `sourceValue`, and `targets` that each have a `select`; an\n" +
		"entry with `path` takes nothing else. kustomize refuses it otherwise.",
	Remedy: `Complete the replacement, or remove what is too much.`,
})
