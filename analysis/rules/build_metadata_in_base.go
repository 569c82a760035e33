package rules

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
)

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
