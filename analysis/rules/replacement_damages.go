package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-damages",
	Class:    analysis.Replacements,
	Severity: analysis.Warning,
	Title:    "A replacement destroys something",
	Why: "At some places kustomize v5.8.2 writes and loses: a map written into a single value leaves it empty,\n" +
		"a document behind `---` vanishes, a number loses digits. The build succeeds.",
	Remedy: `Reach the value on another way; see the message for what is lost.`,
})
