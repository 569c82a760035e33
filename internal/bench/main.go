// Command bench measures whole processes: kls build against kustomize build, and against reading the same files and
// printing them again with yaml.v3 on one core, which is as little as any build can do.
//
// The trees are those of package gentree. Rounds alternate, A B A B, so that a busy machine slows both sides, and what
// is reported of a pair is the median of the rounds' ratios. Before anything is timed, kls and kustomize have to print
// the same bytes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

type options struct {
	apps             []int
	rounds           int
	kustomize        string // version to install, or the path of a binary
	kustomizeSeconds float64
	report           string
	trees            string // folder for kls check; empty leaves it out
}

func main() {
	var o options
	apps := flag.String("apps", "1,100,300,1000", "sizes of the trees, in applications of four resources each")
	flag.IntVar(&o.rounds, "rounds", 7, "rounds of each pair")
	flag.StringVar(&o.kustomize, "kustomize", "v5.8.2", "version of kustomize to install, path of a binary, or empty to leave it out")
	flag.Float64Var(&o.kustomizeSeconds, "kustomize-seconds", 10, "start no further round against kustomize after this many seconds")
	flag.StringVar(&o.report, "report", "", "also write the figures to this file, as Markdown")
	flag.StringVar(&o.trees, "trees", "", "also time kls check of this folder against kustomize build of each root in it")
	tree := flag.String("tree", "", "write a tree of the first size of -apps into this folder, and measure nothing")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := parseSizes(*apps, &o)
	if err == nil && *tree != "" {
		err = gentree.Write(*tree, o.apps[0])
	} else if err == nil {
		err = measure(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parseSizes(list string, o *options) error {
	for _, field := range strings.Split(list, ",") {
		size, err := strconv.Atoi(field)
		if err != nil || size < 1 {
			return fmt.Errorf("-apps: %q is no number of applications", field)
		}
		o.apps = append(o.apps, size)
	}
	return nil
}

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
	fmt.Print(header)
	var rows []row
	for _, apps := range o.apps {
		r, err := programs.measureTree(ctx, folder, apps, o)
		if err != nil {
			return err
		}
		fmt.Print(r)
		rows = append(rows, r)
	}
	lines, err := programs.measureAnnotations(ctx, folder, o)
	if err != nil {
		return err
	}
	fmt.Print(lines)
	if o.trees != "" {
		trees, err := programs.measureTrees(ctx, o.trees, o.rounds)
		if err != nil {
			return err
		}
		fmt.Print(trees)
		lines += trees
	}
	if o.report == "" {
		return nil
	}
	return writeReport(o, rows, lines)
}
