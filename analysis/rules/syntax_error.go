package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "syntax-error",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A file is not YAML",
	Why: `The text cannot be read as YAML, so kustomize refuses the whole build. kls repairs what it can for
the rest of its work: one syntax error hides no other mistake in the file.`,
	Remedy: `Mend the text at the place that is shown. It is the place where reading became impossible; the cause
is often a line above it: an indentation that fits nothing, a quote that is not closed, a tab.`,
})
