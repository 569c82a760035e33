package rules

import (
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/schema"
)

func checkSchemaViolation(p *analysis.Pass) {
	p.ReportViolations(func(kind schema.ViolationKind) bool {
		return kind != schema.UnknownField && kind != schema.RemovedVersion
	})
}
