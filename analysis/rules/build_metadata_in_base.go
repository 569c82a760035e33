package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
)

var _ = register(analysis.Rule{
	Name:     "build-metadata-in-base",
	Class:    analysis.Kustomization,
	Mark:     analysis.Unnecessary,
	Severity: analysis.Info,
	Title:    "buildMetadata of a base does not count",
	Why: "kustomize looks at `buildMetadata` of the kustomization that is built, and of no other. What a base\n" +
		"or component sets has no effect when an overlay is built.",
	Remedy: `Set it in the overlay.`,
	Check:  checkBuildMetadataInBase,
})

// checkBuildMetadataInBase looks for options that the built kustomization does
// not have itself (KustTarget.accumulateDirectory hands it down).
func checkBuildMetadataInBase(p *analysis.Pass) {
	layers := p.Layers()
	if len(layers) < 2 {
		return
	}
	counts := map[string]bool{}
	for _, option := range layers[0].Kustomization.BuildMetadata {
		counts[option.Value] = true
	}
	for _, l := range layers[1:] {
		for _, option := range l.Kustomization.BuildMetadata {
			if !counts[option.Value] {
				p.Report(builder.Problem{Node: option.Node, Layer: l,
					Message: fmt.Sprintf("%s has no effect where another kustomization includes this one", option.Value)})
			}
		}
	}
}
