package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "missing-path",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A path leads nowhere",
	Why: `Nothing stands at the path that an entry names, so the build fails. What kustomize prints about it
is a chain of everything that it tried the path as. Where a similar name exists, kls goes on with
it, so that one typing mistake does not hide the others.`,
	Remedy: `Correct the path. It is relative to the folder of the kustomization file.`,
})
