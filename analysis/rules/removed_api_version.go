package rules

import (
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/schema"
)

var _ = register(analysis.Rule{
	Name:     "removed-api-version",
	Class:    analysis.Schema,
	Severity: analysis.Warning,
	Title:    "Kubernetes no longer serves the apiVersion of a resource",
	Why: "Versions of Kubernetes' APIs are removed some releases after their successor came. A cluster of the\n" +
		"version that is checked for refuses the resource.",
	Remedy: "Write the resource for the successor; its fields may differ. `--kubernetes-version` says for which\n" +
		"version of Kubernetes to check.",
	Check: func(p *analysis.Pass) {
		p.ReportViolations(func(kind schema.ViolationKind) bool { return kind == schema.RemovedVersion })
	},
})
