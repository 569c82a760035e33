package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replacement-reformats",
	Class:    analysis.Replacements,
	Severity: analysis.Hint,
	Title:    "A replacement writes a document anew",
	Why: `To change a value inside a document that is held in a string, kustomize reads and prints the
document. Keys are sorted, comments or indentation change. The meaning stays, a diff is larger than
expected.`,
	Remedy: `Nothing has to be done. Keep the document as kustomize prints it to have small diffs.`,
})
