package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

const (
	// worthMeasuring is the processor time, without that of a start, from which a tree says something about growth.
	worthMeasuring = 4 * startCost
	// mostDoublings bounds how much larger than its smallest size a tree is made to reach that.
	mostDoublings = 6
	growthFactor  = 4
)

// growing is how the processor time of a command grows with one thing of which there are many.
type growing struct {
	size        int // of the smaller tree
	small, many time.Duration
}

// exponent is that of the power law between the two trees.
func (g growing) exponent() float64 {
	return math.Log(g.many.Seconds()/g.small.Seconds()) / math.Log(growthFactor)
}

func (g growing) String() string {
	return fmt.Sprintf("%d | %s | %s | %.2f", g.size, seconds(g.small), seconds(g.many), g.exponent())
}

// measureGrowth prints, for every shape with many of one thing, what a build and a check of n and of 4n cost.
func (p *programs) measureGrowth(ctx context.Context, out io.Writer, folder string, o options) error {
	fmt.Fprintf(out, "\n## Many of one thing\n\nProcessor time without that of a start, for n and for 4n, and the exponent with which it grows. "+
		"`kls build` builds the folder that uses them all, `kls check` checks the whole tree.\n\n"+
		"| many | n | kls build | of 4n | exponent | n | kls check | of 4n | exponent |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	var all []growing
	for _, shape := range gentree.Many() {
		if o.shapes != "" && !strings.Contains(","+o.shapes+",", ","+shape.Name+",") {
			continue
		}
		cells := []string{"– | – | – | –"}
		if !shape.Fails {
			g, err := p.growth(ctx, folder, shape, "build", o.rounds)
			if err != nil {
				return fmt.Errorf("%s: %w", shape.Name, err)
			}
			cells[0], all = g.String(), append(all, g)
		}
		g, err := p.growth(ctx, folder, shape, "check", o.rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", shape.Name, err)
		}
		all = append(all, g)
		fmt.Fprintf(out, "| %s | %s | %s |\n", shape.About, cells[0], g)
	}
	if len(all) > 0 {
		worst := slices.MaxFunc(all, func(a, b growing) int { return cmp.Compare(a.exponent(), b.exponent()) })
		fmt.Fprintf(out, "\nThe largest exponent is %.2f.\n", worst.exponent())
	}
	return nil
}

// growth measures one command on a tree that takes long enough to say something, and on one with four times as much.
func (p *programs) growth(ctx context.Context, folder string, shape gentree.Shape, command string, rounds int) (growing, error) {
	g := growing{size: shape.Sizes[0]}
	for doublings := 0; ; doublings++ {
		var err error
		if g.small, err = p.leastWork(ctx, folder, shape, command, g.size, rounds); err != nil {
			return g, err
		}
		if g.small >= worthMeasuring || doublings == mostDoublings {
			break
		}
		g.size *= 2
	}
	var err error
	g.many, err = p.leastWork(ctx, folder, shape, command, growthFactor*g.size, rounds)
	return g, err
}

// leastWork is the least processor time of a few runs, without that of a start: what else runs on the machine only
// adds to it.
func (p *programs) leastWork(ctx context.Context, folder string, shape gentree.Shape, command string, size, rounds int) (time.Duration, error) {
	tree := filepath.Join(folder, fmt.Sprintf("%s-%d", shape.Name, size))
	defer os.RemoveAll(tree)
	if err := shape.Write(tree, size); err != nil {
		return 0, err
	}
	dir := tree
	if command == "build" {
		dir = filepath.Join(tree, filepath.FromSlash(shape.Root))
	}
	least := time.Duration(math.MaxInt64)
	for range rounds {
		run := process{path: p.kls, arguments: []string{command, dir}}.command(ctx)
		if err := unlessMistakes(run.Run()); err != nil {
			return 0, fmt.Errorf("kls %s of %d: %w", command, size, err)
		}
		least = min(least, run.ProcessState.UserTime()+run.ProcessState.SystemTime())
	}
	return max(least-startCost, time.Millisecond), nil
}
