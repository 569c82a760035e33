package rules

import (
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/schema"
)

var _ = register(analysis.Rule{
	Name:        "schema-violation",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A rendered resource is not what the API server accepts",
	Why: "kustomize renders whatever is written and knows next to nothing of what Kubernetes accepts: a text\n" +
		"where a number belongs, a required field that is missing, a value that is none of those allowed. The\n" +
		"cluster refuses the resource. Custom resources are held against the CustomResourceDefinition that is\n" +
		"rendered with them. Of what another program fills in after the build (`${…}`, `{{ … }}`, NAMES_LIKE_THIS\n" +
		"where a number belongs) nothing is said, nor of what sops encrypted, nor of what every overlay mends that\n" +
		"includes the base.",
	Remedy: "Correct the value where it was written: in a base, in a patch, in a replacement's source.\n" +
		"`--kubernetes-version` says for which version of Kubernetes to check.",
	Check: func(p *analysis.Pass) {
		p.ReportViolations(func(kind schema.ViolationKind) bool {
			return kind != schema.UnknownField && kind != schema.RemovedVersion
		})
	},
})
