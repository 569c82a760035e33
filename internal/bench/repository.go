package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

// largeDefinitions is how many custom resource definitions, and how many overlays over them, the repository has that
// measureRepository writes.
const largeDefinitions = 200

// measureRepository holds one kls check of a repository with large definitions against kustomize building its roots one by
// one: processor time, and the peak of memory. kustomize takes minutes for all, so what a few roots take stands for all.
func (p *programs) measureRepository(ctx context.Context, folder string, o options) (string, error) {
	tree := filepath.Join(folder, "definitions")
	if err := gentree.WriteFiles(tree, gentree.CRDRepository(largeDefinitions, largeDefinitions)); err != nil {
		return "", err
	}
	defer os.RemoveAll(tree)
	var works []time.Duration
	var peak int64
	for range min(o.rounds, 3) {
		work, memory, err := workOf(ctx, process{path: p.kls, arguments: []string{"check", tree}})
		if err != nil {
			return "", err
		}
		works, peak = append(works, work), max(peak, memory)
	}
	check := median(works)
	text := fmt.Sprintf("\n## Large definitions\n\n`kls check` of %d overlays over %d custom resource definitions of 100 KB: %s of a processor, at most %s of memory",
		largeDefinitions, largeDefinitions, seconds(check), mebibytes(peak))
	if p.kustomize == "" {
		return text + ".\n", nil
	}
	var builds []time.Duration
	var theirPeak int64
	for i, start := 0, time.Now(); i < largeDefinitions && (i == 0 || time.Since(start) < o.limit()); i++ {
		dir := filepath.Join(tree, "overlays", fmt.Sprintf("app-%04d", i))
		work, memory, err := workOf(ctx, process{path: p.kustomize, arguments: []string{"build", dir}})
		if err != nil {
			return "", err
		}
		builds, theirPeak = append(builds, work), max(theirPeak, memory)
	}
	theirs := median(builds) * (largeDefinitions + 1)
	return text + fmt.Sprintf("; `kustomize build` of each: about %s of a processor, by %d of the roots, %.0f times as long, and %s of memory for one.\n",
		seconds(theirs), len(builds), theirs.Seconds()/check.Seconds(), mebibytes(theirPeak)), nil
}

// workOf runs the process, which may find mistakes, and returns its processor time and the peak of its memory in bytes.
func workOf(ctx context.Context, p process) (time.Duration, int64, error) {
	command := p.command(ctx)
	if err := unlessMistakes(command.Run()); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", filepath.Base(p.path), err)
	}
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime(), peakMemory(command.ProcessState), nil
}
