package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-merge-key-missing",
	Class:    analysis.Patches,
	Severity: analysis.Warning,
	Title:    "An element of a patch does not say which one it is for, and is lost",
	Why: "Ports are told apart by number and protocol. Where the resource's port has a `protocol` and the\n" +
		"patch's does not, kustomize takes neither the one nor the other for it, and what the patch sets is\n" +
		"gone without a word.",
	Remedy: "Add the key that is missing, such as `protocol: TCP`.",
})
