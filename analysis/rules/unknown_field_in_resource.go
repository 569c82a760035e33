package rules

import (
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/schema"
)

var _ = register(analysis.Rule{
	Name:        "unknown-field-in-resource",
	Class:       analysis.Schema,
	Severity:    analysis.Warning,
	Provisional: true,
	Title:       "A rendered resource has a field that its kind does not have",
	Why: "kustomize renders whatever is written. `kubectl apply` then refuses the resource, or, where it is told\n" +
		"not to validate, the API server drops the field. It is mostly a typing mistake, or a field that is one\n" +
		"level too deep or too high. The line is the one that brings the field in: in a base, in a patch.",
	Remedy: "Correct the field's name, or move it to where it belongs. `--kubernetes-version` says which version\n" +
		"of Kubernetes has to know it.",
	Check: func(p *analysis.Pass) {
		p.ReportViolations(func(kind schema.ViolationKind) bool { return kind == schema.UnknownField })
	},
})
