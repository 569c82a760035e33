package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"
)

// measureTrees times one kls check of a whole folder against one build of each root in it, one after the other, as a
// script would do: with kustomize, and with kls. What kls leaves undecided, because it needs the network, is left out
// of the builds; it counts in the check.
func (p *programs) measureTrees(ctx context.Context, _ string, o options) (string, error) {
	if o.trees == "" {
		return "", nil
	}
	roots, err := p.decidedRoots(ctx, o.trees)
	if err != nil {
		return "", err
	}
	var checks []time.Duration
	var peak int64
	for range o.rounds {
		used, memory, err := finish(ctx, process{path: p.kls, arguments: []string{"check", o.trees}})
		if err != nil {
			return "", err
		}
		checks, peak = append(checks, used), max(peak, memory)
	}
	check := median(checks)
	text := fmt.Sprintf("\n## Many roots\n\n`kls check` of a folder with %d roots: %s, at most %s of memory", len(roots), seconds(check), mebibytes(peak))
	if p.kustomize == "" {
		return text + ".\n", nil
	}
	var ours, theirs time.Duration
	var ratios []float64
	for _, dir := range roots {
		dir = filepath.Join(o.trees, dir)
		us, _, err := finish(ctx, process{path: p.kls, arguments: []string{"build", dir}})
		if err != nil {
			return "", err
		}
		them, _, err := finish(ctx, process{path: p.kustomize, arguments: []string{"build", dir}})
		if err != nil {
			return "", err
		}
		ours, theirs, ratios = ours+us, theirs+them, append(ratios, us.Seconds()/them.Seconds())
	}
	return text + fmt.Sprintf("; `kustomize build` of each: %s, %.0f times as long. `kls build` of each: %s; the median of the ratios is %.3f ×.\n",
		seconds(theirs), theirs.Seconds()/check.Seconds(), seconds(ours), median(ratios)), nil
}

// decidedRoots returns the folders, relative to the given one, of the roots and components of which kls knows whether
// they build.
func (p *programs) decidedRoots(ctx context.Context, folder string) ([]string, error) {
	command := process{path: p.kls, arguments: []string{"check", "--format", "json"}}.command(ctx)
	command.Dir = folder
	printed, err := command.Output()
	if err := unlessMistakes(err); err != nil {
		return nil, err
	}
	var report struct {
		Roots []struct{ Dir, Verdict string }
	}
	if err := json.NewDecoder(bytes.NewReader(printed)).Decode(&report); err != nil {
		return nil, fmt.Errorf("kls check --format json: %w", err)
	}
	var dirs []string
	for _, root := range report.Roots {
		if root.Verdict != "unknown" {
			dirs = append(dirs, root.Dir)
		}
	}
	return dirs, nil
}

// finish runs the process, which may find mistakes, with its output thrown away, and returns how long that took and
// the peak of its memory in bytes, 0 where the system does not tell.
func finish(ctx context.Context, p process) (time.Duration, int64, error) {
	command := p.command(ctx)
	start := time.Now()
	err := unlessMistakes(command.Run())
	if err != nil {
		return 0, 0, fmt.Errorf("%s %s: %w", filepath.Base(p.path), p.arguments, err)
	}
	return time.Since(start), peakMemory(command.ProcessState), nil
}

// unlessMistakes drops an error that says that the program ended with status 1: it ran, and found mistakes.
func unlessMistakes(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return err
}
