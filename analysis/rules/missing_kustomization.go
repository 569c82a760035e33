package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "missing-kustomization",
	Class:    analysis.Kustomization,
	Severity: analysis.Error,
	Title:    "A folder has no kustomization file",
	Why: "An entry of `resources` or `components` names a folder, and a folder is included through its\n" +
		"`kustomization.yaml`, `kustomization.yml` or `Kustomization`. There is none in it, so the build\n" +
		"fails.",
	Remedy: "Add a `kustomization.yaml` to the folder, or list the files in it one by one.",
})
