package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "patch-no-change",
	Class:    analysis.Patches,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Info,
	Title:    "A patch changes nothing",
	Why: `Every value that the patch sets is there already. It may be left over from when the base was
different, or be meant for another resource.`,
	Remedy: `Remove the patch, unless it is there to say so explicitly.`,
})
