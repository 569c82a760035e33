package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "outside-root",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A file lies outside the folder of its kustomization",
	Why: `kustomize reads files (resources, patches, sources of generators) only from the folder of the
kustomization that names them and from below it, so that a base means the same wherever it is
included from. Folders with a kustomization of their own may be anywhere.`,
	Remedy: "Move the file, or give its folder a `kustomization.yaml` and list the folder instead of the file.\n" +
		"Building with `--load-restrictor LoadRestrictionsNone` lifts the restriction, and then everybody has\n" +
		"to build that way.",
})
