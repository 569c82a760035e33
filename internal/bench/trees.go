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

// measureTrees times one kls check of a whole folder against one kustomize build of each root in it, one after the
// other, as a script would do without kls. What kls leaves undecided, because it needs the network, is left out of
// kustomize's side; it counts on ours.
func (p *programs) measureTrees(ctx context.Context, folder string, rounds int) (string, error) {
	roots, err := p.decidedRoots(ctx, folder)
	if err != nil {
		return "", err
	}
	check := process{path: p.kls, arguments: []string{"check", folder}}
	var times []time.Duration
	var peak int64
	for range rounds {
		used, memory, err := finish(ctx, check)
		if err != nil {
			return "", err
		}
		times, peak = append(times, used), max(peak, memory)
	}
	line := fmt.Sprintf("\n`kls check` of a folder with %d roots: %s", len(roots), seconds(median(times)))
	if peak > 0 {
		line += fmt.Sprintf(", at most %d MiB of memory", peak>>20)
	}
	if p.kustomize != "" {
		var all time.Duration
		for _, dir := range roots {
			used, _, err := finish(ctx, process{path: p.kustomize, arguments: []string{"build", filepath.Join(folder, dir)}})
			if err != nil {
				return "", err
			}
			all += used
		}
		line += fmt.Sprintf("; `kustomize build` of each: %s; kls takes %.4f ×", seconds(all), median(times).Seconds()/all.Seconds())
	}
	return line + ".\n", nil
}

// decidedRoots returns the folders, relative to the given one, of the roots and components of which kls knows whether
// they build.
func (p *programs) decidedRoots(ctx context.Context, folder string) ([]string, error) {
	printed, err := process{path: p.kls, arguments: []string{"check", "--format", "json", folder}}.command(ctx).Output()
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
	return time.Since(start), peakMemory(command.ProcessState), err
}

// unlessMistakes drops an error that says that the program ended with status 1: it ran, and found mistakes.
func unlessMistakes(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return err
}
