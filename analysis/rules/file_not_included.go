package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     analysis.FileNotIncluded,
	Class:    analysis.Kustomization,
	Severity: analysis.Info,
	Title:    "A resource's file lies beside a kustomization and nothing includes it",
	Why: "kustomize reads what a kustomization names, and nothing else: a file that was created and not added to\n" +
		"`resources` is never deployed, and nobody is told. It is reported where all kustomizations that could\n" +
		"read the file were checked and none does, in the folder of a kustomization and in those below it from\n" +
		"which it takes other resources. A file whose name stands in a comment of the kustomization is switched\n" +
		"off on purpose and not reported.",
	Remedy: "Add it to `resources` (or to `patches`, if that is what it is), or remove it.",
})
