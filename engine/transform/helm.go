package transform

import (
	"errors"
	"fmt"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// RunHelm renders the charts of a layer. One without a namespace gets that of
// the layer or of the nearest that includes it (KustTarget.helmRootNamespace).
func (b *Transformer) RunHelm(l *trace.Layer, acc *accumulator.Accumulator) {
	var globals kustomization.HelmGlobals
	if l.Kustomization.HelmGlobals != nil {
		globals = *l.Kustomization.HelmGlobals
	}
	for _, chart := range l.Kustomization.HelmCharts {
		for up := l; up != nil && chart.Namespace.Value == ""; up = up.Parent {
			chart.Namespace = up.Kustomization.Namespace
		}
		b.inflate(l, acc, chart, globals, b.FieldOrigin(l, "HelmChartInflationGenerator"))
	}
}

// inflate adds what helm renders of a chart; without helm that is not known.
func (b *Transformer) inflate(l *trace.Layer, acc *accumulator.Accumulator, chart kustomization.HelmChart, globals kustomization.HelmGlobals, origin *resource.Origin) {
	output, err := b.Outside().Chart(b.Ctx, load.ChartRequest{Dir: l.Dir, Chart: chart, Globals: globals, Load: b.loadFor(l)})
	var made []*yaml.Node
	if err == nil {
		made, err = readMade(output, chart.Node)
	}
	if err != nil {
		b.reportChart(l, acc, chart, err)
		return
	}
	for _, n := range made {
		r := load.NewResource(n, chart.Node)
		r.Helm, r.Origin = true, origin
		b.addGenerated(l, acc, nil, r)
	}
}

func (b *Transformer) reportChart(l *trace.Layer, acc *accumulator.Accumulator, chart kustomization.HelmChart, err error) {
	acc.Unknown = true
	var unread *loadError
	switch {
	case errors.Is(err, load.ErrSwitchedOff):
		b.Lacking = true
		b.Report(l, problem.Problem{Code: problem.ExternalNotRun, Node: chart.Node,
			Message: fmt.Sprintf("the helm chart %s was not rendered", chart.Name.Value),
			Help:    "what depends on it is not checked; run it with --enable-helm"})
	case errors.As(err, &unread):
		p := unread.problem
		p.Node, p.Fixes = chart.Node, nil
		for _, file := range append([]kustomization.Text{chart.ValuesFile}, chart.AdditionalValuesFiles...) {
			if file.Value == unread.path && file.Node != nil {
				p.Node, p.Fixes = file.Node, unread.problem.Fixes
			}
		}
		b.Report(l, p)
	default:
		b.Report(l, problem.Problem{Code: problem.ChartFails, Fatal: true, Node: chart.Node,
			Message: fmt.Sprintf("the helm chart %s cannot be rendered: %s", chart.Name.Value, err)})
	}
}
