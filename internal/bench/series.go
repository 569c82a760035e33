package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"time"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

// row is what was measured of one tree.
type row struct {
	resources int
	kustomize *pair // nil where kustomize is left out
	floor     pair
	// peak is the memory of one kls build, and of one kustomize build, in bytes; 0 where it is not known.
	peak, kustomizePeak int64
}

// series is what was measured of the trees of one shape, by ascending size.
type series struct {
	shape gentree.Shape
	rows  []row
}

const header = `| resources | kls build | kustomize build | kls takes | read and print | kls takes | memory of kls | of kustomize |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

// String is a row of a Markdown table.
func (r row) String() string {
	kustomize := "– | –"
	if r.kustomize != nil {
		kustomize = fmt.Sprintf("%s | %.4f ×", seconds(r.kustomize.theirs), r.kustomize.ratio)
	}
	return fmt.Sprintf("| %d | %s | %s | %s | %.2f × | %s | %s |\n",
		r.resources, seconds(r.floor.ours), kustomize, seconds(r.floor.theirs), r.floor.ratio, mebibytes(r.peak), mebibytes(r.kustomizePeak))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

func mebibytes(n int64) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// measureShape measures the trees of a shape and prints a section of the report.
func (p *programs) measureShape(ctx context.Context, out io.Writer, folder string, shape gentree.Shape, o options) (series, error) {
	fmt.Fprintf(out, "\n## %s\n\nIn the trees: %s.\n\n%s", capitalized(shape.Name), shape.About, header)
	s := series{shape: shape}
	for _, size := range shape.Sizes {
		if n := len(s.rows); n > 0 && s.rows[n-1].kustomize != nil && s.rows[n-1].kustomize.theirs > o.limit() {
			o.kustomizeMost = 0 // it would take minutes
		}
		r, err := p.measureTree(ctx, folder, shape, size, o)
		if err != nil {
			return s, fmt.Errorf("%s at %d: %w", shape.Name, size, err)
		}
		fmt.Fprint(out, r)
		s.rows = append(s.rows, r)
	}
	if exponent, ok := s.growth(func(r row) (time.Duration, bool) { return r.floor.work, true }); ok {
		fmt.Fprintf(out, "\nProcessor time grows with the number of resources to the power of %.2f", exponent)
		if theirs, ok := s.growth(func(r row) (time.Duration, bool) {
			if r.kustomize == nil {
				return 0, false
			}
			return r.kustomize.theirWork, true
		}); ok {
			fmt.Fprintf(out, " (kustomize: %.2f)", theirs)
		}
		fmt.Fprintln(out, ".")
	}
	return s, nil
}

func capitalized(word string) string { return string(word[0]-'a'+'A') + word[1:] }

// measureTree writes a tree, holds the two builds against each other, and times.
func (p *programs) measureTree(ctx context.Context, folder string, shape gentree.Shape, size int, o options) (row, error) {
	tree := filepath.Join(folder, fmt.Sprintf("%s-%d", shape.Name, size))
	if err := shape.Write(tree, size); err != nil {
		return row{}, err
	}
	dir := filepath.Join(tree, filepath.FromSlash(shape.Root))
	kls := process{path: p.kls, arguments: []string{"build", dir}}
	floor := process{path: p.readprint, arguments: []string{tree}, environment: []string{"GOMAXPROCS=1"}}
	r := row{resources: shape.Resources(size)}
	var err error
	if p.kustomize != "" && r.resources <= o.kustomizeMost {
		kustomize := process{path: p.kustomize, arguments: []string{"build", dir}}
		if r.peak, r.kustomizePeak, err = sameOutput(ctx, kls, kustomize); err != nil {
			return row{}, err
		}
		against, err := compare(ctx, kls, kustomize, o.rounds, o.limit())
		if err != nil {
			return row{}, err
		}
		r.kustomize = &against
	} else if _, r.peak, err = finish(ctx, kls); err != nil {
		return row{}, err
	}
	against, err := compare(ctx, kls, floor, o.rounds, time.Hour)
	r.floor = against
	return r, err
}

// startCost is about the processor time of a process that does nothing: trees that take less than a few times as long,
// or are very small, say nothing about growth.
const (
	startCost     = 10 * time.Millisecond
	fewestGrowing = 100 // resources
)

// growth returns the exponent of the power law that fits the times of the trees best, by least squares of the
// logarithms; false where fewer than two trees take long enough.
func (s series) growth(of func(row) (time.Duration, bool)) (float64, bool) {
	var n, x, y, xx, xy float64
	for _, r := range s.rows {
		took, known := of(r)
		if !known || took < 4*startCost || r.resources < fewestGrowing {
			continue
		}
		a, b := math.Log(float64(r.resources)), math.Log((took - startCost).Seconds())
		n, x, y, xx, xy = n+1, x+a, y+b, xx+a*a, xy+a*b
	}
	if n < 2 {
		return 0, false
	}
	return (n*xy - x*y) / (n*xx - x*x), true
}
