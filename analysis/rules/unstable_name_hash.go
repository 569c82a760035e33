package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "unstable-name-hash",
	Class:    analysis.Generators,
	Severity: analysis.Warning,
	Title:    "The hash in a name changes with the layout of files",
	Why: "kustomize makes the hash of a ConfigMap or Secret of its content. Where a patch has made something else\n" +
		"of it, the hash is made of the document as kustomize keeps it: with the lines and columns at which its\n" +
		"parts were written, and with notes of its own. An empty line in a patch gives another name, and kls does\n" +
		"not have the same one: it is the one thing in which the output of `kls build` can differ.",
	Remedy: "Set `disableNameSuffixHash` in the options of the generator, or write the resource as a file.",
})
