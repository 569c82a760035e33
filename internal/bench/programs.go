package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// programs are the binaries that are timed, by path.
type programs struct {
	kls, readprint, kustomize string // kustomize is empty where it is left out
	// plain is kls built without provenance.
	plain string
}

// build builds ours and installs kustomize, all into the folder.
func build(ctx context.Context, folder, kustomize string) (*programs, error) {
	p := &programs{
		kls:       filepath.Join(folder, "kls"),
		readprint: filepath.Join(folder, "readprint"),
		plain:     filepath.Join(folder, "kls-without-provenance"),
		kustomize: kustomize,
	}
	if err := goCommand(ctx, nil, "build", "-o", p.kls, "github.com/kustomize-lsp/kls/cmd/kls"); err != nil {
		return nil, err
	}
	if err := goCommand(ctx, nil, "build", "-tags", "noprovenance", "-o", p.plain, "github.com/kustomize-lsp/kls/cmd/kls"); err != nil {
		return nil, err
	}
	if err := goCommand(ctx, nil, "build", "-o", p.readprint, "github.com/kustomize-lsp/kls/internal/bench/readprint"); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(kustomize, "v") {
		return p, nil
	}
	p.kustomize = filepath.Join(folder, "kustomize")
	return p, goCommand(ctx, []string{"GOBIN=" + folder}, "install", "sigs.k8s.io/kustomize/kustomize/v5@"+kustomize)
}

func goCommand(ctx context.Context, environment []string, arguments ...string) error {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Env = append(os.Environ(), environment...)
	if printed, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, printed)
	}
	return nil
}

// limit is the time after which no further round against kustomize starts.
func (o options) limit() time.Duration {
	return time.Duration(o.kustomizeSeconds * float64(time.Second))
}

// process is one program with its arguments, run anew for each measurement.
type process struct {
	path        string
	arguments   []string
	environment []string
}

func (p process) command(ctx context.Context) *exec.Cmd {
	command := exec.CommandContext(ctx, p.path, p.arguments...)
	command.Env = append(os.Environ(), p.environment...)
	return command
}

// sameOutput is an error unless both print the same bytes: the time of a wrong build means nothing. It returns the
// peaks of their memory in bytes, 0 where the system does not tell.
func sameOutput(ctx context.Context, a, b process) (ours, theirs int64, err error) {
	printed, ours, err := output(ctx, a)
	if err != nil {
		return 0, 0, err
	}
	expected, theirs, err := output(ctx, b)
	if err != nil {
		return 0, 0, err
	}
	if !bytes.Equal(printed, expected) {
		return 0, 0, fmt.Errorf("kls and kustomize print different bytes for %s", a.arguments[1])
	}
	return ours, theirs, nil
}

func output(ctx context.Context, p process) ([]byte, int64, error) {
	command := p.command(ctx)
	printed, err := command.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", filepath.Base(p.path), err)
	}
	return printed, peakMemory(command.ProcessState), nil
}

// pair is what the rounds of two programs gave.
type pair struct {
	ours, theirs time.Duration // medians of wall-clock time
	ratio        float64       // median over the rounds of ours / theirs
	rounds       int
	// work and theirWork are the least processor time of a round: what else runs on the
	// machine only adds to it. workRatio is the median over the rounds.
	work, theirWork time.Duration
	workRatio       float64
}

// compare times the two in turn. It starts no further round once the limit has passed, but always finishes one.
func compare(ctx context.Context, a, b process, rounds int, limit time.Duration) (pair, error) {
	var ours, theirs, work, theirWork []time.Duration
	var ratios, workRatios []float64
	for start := time.Now(); len(ratios) < rounds && (len(ratios) == 0 || time.Since(start) < limit); {
		one, err := timed(ctx, a)
		if err != nil {
			return pair{}, err
		}
		other, err := timed(ctx, b)
		if err != nil {
			return pair{}, err
		}
		ours, theirs = append(ours, one.wall), append(theirs, other.wall)
		work, theirWork = append(work, one.processor), append(theirWork, other.processor)
		ratios = append(ratios, one.wall.Seconds()/other.wall.Seconds())
		workRatios = append(workRatios, one.processor.Seconds()/other.processor.Seconds())
	}
	return pair{ours: median(ours), theirs: median(theirs), ratio: median(ratios), rounds: len(ratios),
		work: slices.Min(work), theirWork: slices.Min(theirWork), workRatio: median(workRatios)}, nil
}

// usage is the time that one run took: until it ended, and of all processors.
type usage struct{ wall, processor time.Duration }

// timed runs the process with its output thrown away.
func timed(ctx context.Context, p process) (usage, error) {
	command := p.command(ctx)
	start := time.Now()
	if err := command.Run(); err != nil {
		return usage{}, fmt.Errorf("%s: %w", filepath.Base(p.path), err)
	}
	return usage{time.Since(start), command.ProcessState.UserTime() + command.ProcessState.SystemTime()}, nil
}

// median returns the middle of the values, the upper one of two, and leaves their order alone.
func median[T float64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
