package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "validator-changes",
	Class:    analysis.Outside,
	Severity: analysis.Error,
	Title:    "A validator changes resources",
	Why: "What `validators` names may only look at resources. kustomize compares them before and after, and\n" +
		"refuses a validator that changes more than the label `validated-by`. It compares the lines too on which\n" +
		"they were read, and so refuses every validator that is a program.",
	Remedy: "List it under `transformers`.",
})
