package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:        "var-unused",
	Class:       analysis.Replacements,
	Mark:        analysis.Unnecessary,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A var is not used",
	Why: "`$(NAME)` is in none of the fields in which kustomize replaces vars: commands, arguments and\n" +
		"environment of containers, and a few more.",
	Remedy: "Remove the var, or list the field under `varReference` in a file of `configurations`. `replacements`\n" +
		"reach every field.",
})
