package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "duplicate-entry",
	Class:    analysis.Style,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Warning,
	Title:    "An entry of resources is listed twice",
	Why: "kustomize adds everything again, and refuses the first resource that is there already with\n" +
		"`may not add resource with an already registered id`. Where the file or folder holds no resource\n" +
		"nothing happens.",
	Remedy: `Take one of the entries out.`,
})
