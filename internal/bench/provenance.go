package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

// provenanceApps is the size of the tree on which the cost of provenance is measured: 4,001 resources.
const provenanceApps = 1000

// measureProvenance times a build against that of a kls which is built without provenance: its nodes do not know the
// file that they were written in, and what is written takes no place over.
func (p *programs) measureProvenance(ctx context.Context, folder string, o options) (string, error) {
	tree := filepath.Join(folder, "provenance")
	if err := gentree.Write(tree, provenanceApps); err != nil {
		return "", err
	}
	arguments := []string{"build", filepath.Join(tree, gentree.Overlay)}
	with, without := process{path: p.kls, arguments: arguments}, process{path: p.plain, arguments: arguments}
	if _, _, err := sameOutput(ctx, with, without); err != nil {
		return "", err
	}
	cost, err := compare(ctx, with, without, 3*o.rounds, 3*o.limit())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("\n## Provenance\n\nThat every node knows where it was written costs, at %d resources, %.3f × the processor time "+
		"of a build without it (the least of %d rounds; the median of the rounds' ratios is %.3f ×).\n",
		gentree.Resources(provenanceApps), cost.work.Seconds()/cost.theirWork.Seconds(), cost.rounds, cost.workRatio), nil
}
