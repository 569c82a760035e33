package build

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// runHelm renders the charts of a layer.
func (b *builder) runHelm(l *Layer, acc *accumulator) {
	var globals *yaml.Node
	if g := l.Kustomization.HelmGlobals; g != nil {
		globals = g.Node
	}
	for _, chart := range l.Kustomization.HelmCharts {
		b.inflate(l, acc, chart, globals, b.fieldOrigin(l, "HelmChartInflationGenerator"))
	}
}

// inflate renders a chart; without helm what it makes is not known.
func (b *builder) inflate(l *Layer, acc *accumulator, chart kustomization.HelmChart, globals *yaml.Node, origin *resource.Origin) {
	acc.unknown, b.lacking = true, true
	b.report(l, Problem{Code: NotRun, Node: chart.Node,
		Message: fmt.Sprintf("the helm chart %s was not rendered", chart.Name.Value),
		Help:    "what depends on it is not checked; run it with --enable-helm"})
}
