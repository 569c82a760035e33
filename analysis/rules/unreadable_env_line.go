package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "unreadable-env-line",
	Class:    analysis.Generators,
	Severity: analysis.Error,
	Title:    "A line of an env file cannot be read",
	Why: `kustomize reads env files line by line as UTF-8, each shorter than 64 KiB, and refuses the build
over a line that is not.`,
	Remedy: "Save the file as UTF-8, and move long values to `files`.",
})
