package build

import (
	"fmt"

	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// runHelm notes charts, which need the helm program: what they render is not known.
func (b *builder) runHelm(l *Layer, acc *accumulator) {
	for _, chart := range l.Kustomization.HelmCharts {
		acc.unknown, b.lacking = true, true
		b.report(l, Problem{Code: NotRun, Node: chart.Node,
			Message: fmt.Sprintf("the helm chart %s was not rendered", chart.Name.Value),
			Help:    "what depends on it is not checked"})
	}
}

// runExternalGenerators, runExternal and runValidators note generators,
// transformers and validators that are configured in files.
func (b *builder) runExternalGenerators(l *Layer, acc *accumulator) {
	b.skipExternal(l, acc, "generators", l.Kustomization.Generators)
}

func (b *builder) runExternal(l *Layer, acc *accumulator) {
	b.skipExternal(l, acc, "transformers", l.Kustomization.Transformers)
}

func (b *builder) runValidators(l *Layer, acc *accumulator) {
	b.skipExternal(l, acc, "validators", l.Kustomization.Validators)
}

func (b *builder) skipExternal(l *Layer, acc *accumulator, field string, entries []kustomization.Text) {
	for _, e := range entries {
		acc.unknown, b.lacking = true, true
		b.report(l, Problem{Code: NotRun, Node: e.Node,
			Message: fmt.Sprintf("%s are not run yet", field), Help: "what depends on them is not checked"})
	}
}

// mergeCRDs would take references from CRD files into the configuration.
func (b *builder) mergeCRDs(l *Layer, acc *accumulator) {
	for _, e := range l.Kustomization.Crds {
		b.load(l, e.Node, e.Value)
	}
}
