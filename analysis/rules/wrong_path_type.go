package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "wrong-path-type",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A path leads to a folder instead of a file, or the reverse",
	Why: "Some fields take files (patches, sources of generators, `configurations`), `components` takes\n" +
		"folders, and only `resources` takes both. kustomize refuses the build.",
	Remedy: `Name the file in the folder, or list the entry under the field that takes it.`,
})
