package rules

import (
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/schema"
)

var _ = register(analysis.Rule{
	Name:     "schema-violation",
	Severity: analysis.Warning,
	Title:    "A rendered resource is not what the API server accepts",
	Why: "kustomize renders whatever is written and knows next to nothing of what Kubernetes accepts: a text\n" +
		"where a number belongs, a required field that is missing, a value that is none of those allowed. The\n" +
		"cluster refuses the resource. Custom resources are held against the CustomResourceDefinition that is\n" +
		"rendered with them.",
	Remedy: "Correct the value where it was written: in a base, in a patch, in a replacement's source.\n" +
		"`--kubernetes-version` says for which version of Kubernetes to check.",
	Check: func(p *analysis.Pass) {
		p.ReportViolations(func(kind schema.ViolationKind) bool {
			return kind != schema.UnknownField && kind != schema.RemovedVersion
		})
	},
})
