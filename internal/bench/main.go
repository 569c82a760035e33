// Command bench measures whole processes: kls build against kustomize build, and against reading the same files and
// printing them again with yaml.v3 on one core, which is as little as any build can do; kls lsp as an editor sees it;
// kls check of a folder; and what a start costs.
//
// The trees are those of package gentree. Rounds alternate, A B A B, so that a busy machine slows both sides, and what
// is reported of a pair is the median of the rounds' ratios. Before anything is timed, kls and kustomize have to print
// the same bytes.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

type options struct {
	rounds           int
	kustomize        string // version to install, or the path of a binary
	kustomizeSeconds float64
	kustomizeMost    int // resources
	only             string
	shapes           string
	report           string
	trees            string // folder for kls check; empty leaves it out
	yamlServer       string // version to install, or empty to leave it out
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 7, "rounds of each pair")
	flag.StringVar(&o.kustomize, "kustomize", "v5.8.2", "version of kustomize to install, path of a binary, or empty to leave it out")
	flag.Float64Var(&o.kustomizeSeconds, "kustomize-seconds", 10, "start no further round against kustomize after this many seconds, and leave it out of larger trees once a build takes longer")
	flag.IntVar(&o.kustomizeMost, "kustomize-most", 4001, "leave kustomize out of trees with more resources than this: it needs ten minutes for 12,001")
	flag.StringVar(&o.only, "only", "", "measure only these, with commas: shapes by name, edits, growth, annotations, provenance, roots, server, start, trees, definitions")
	flag.StringVar(&o.shapes, "many", "", "of the shapes with many of one thing, measure the growth of these only, by name, with commas")
	flag.StringVar(&o.report, "report", "", "also write the figures to this file, as Markdown, and a plot beside it")
	flag.StringVar(&o.trees, "trees", "", "also time kls check of this folder, and kls build of each root in it, against kustomize build of each")
	flag.StringVar(&o.yamlServer, "yaml-language-server", "1.19.2", "version of yaml-language-server to install with npm, or empty to leave it out")
	tree := flag.String("tree", "", "write a tree, SHAPE=SIZE, into the folder that is the argument, and measure nothing")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := error(nil)
	if *tree != "" {
		err = writeTree(*tree, flag.Arg(0))
	} else {
		err = measure(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// writeTree writes one tree for a look at it.
func writeTree(what, folder string) error {
	name, number, _ := strings.Cut(what, "=")
	var size int
	if _, err := fmt.Sscanf(number, "%d", &size); err != nil || size < 1 || folder == "" {
		return fmt.Errorf("-tree: %q is not SHAPE=SIZE, or there is no folder", what)
	}
	for _, shape := range append(gentree.Shapes(), gentree.Many()...) {
		if shape.Name == name {
			return shape.Write(folder, size)
		}
	}
	return fmt.Errorf("-tree: there is no shape %q", name)
}

// wants tells whether a part is to be measured.
func (o options) wants(part string) bool {
	return o.only == "" || strings.Contains(","+o.only+",", ","+part+",")
}

// measure measures what is asked for, prints it as it comes, and writes the report.
func measure(ctx context.Context, o options) error {
	folder, err := os.MkdirTemp("", "kls-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	programs, err := build(ctx, folder, o.kustomize)
	if err != nil {
		return err
	}
	var page strings.Builder
	out := io.MultiWriter(os.Stdout, &page)
	var measured []series
	for _, shape := range gentree.Shapes() {
		if !o.wants(shape.Name) {
			continue
		}
		s, err := programs.measureShape(ctx, out, folder, shape, o)
		if err != nil {
			return err
		}
		measured = append(measured, s)
	}
	if o.wants("edits") {
		if err := measureEdits(ctx, out, o.rounds); err != nil {
			return err
		}
	}
	if o.wants("growth") {
		if err := programs.measureGrowth(ctx, out, folder, o); err != nil {
			return fmt.Errorf("growth: %w", err)
		}
	}
	for _, part := range []struct {
		name    string
		measure func(context.Context, string, options) (string, error)
	}{
		{"annotations", programs.measureAnnotations},
		{"provenance", programs.measureProvenance},
		{"start", programs.measureStart},
		{"server", programs.measureServer},
		{"roots", programs.measureRoots},
		{"trees", programs.measureTrees},
		{"definitions", programs.measureRepository},
	} {
		if !o.wants(part.name) {
			continue
		}
		text, err := part.measure(ctx, folder, o)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		fmt.Fprint(out, text)
	}
	if o.report == "" {
		return nil
	}
	return writeReport(o, measured, page.String())
}
