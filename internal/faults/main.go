// Command faults puts mistakes into kustomize trees, one at a time, each at a line that it knows, and counts how often
// `kls check` and `kustomize build` find them, and find them there. It prints a table of the two side by side.
//
//	go run ./internal/faults FOLDER...
//
// Only roots that build, and of which kls has nothing to say at that place beforehand, get a mistake. Each kind of
// mistake is one entry of the table in kinds.go. The files themselves are not touched: both sides get them in memory.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	limit := flag.Int("limit", 25, "mistakes of one kind in one folder, at most")
	verbose := flag.Bool("missed", false, "print each mistake that is not found at its line")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: faults [-limit N] [-missed] FOLDER...")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, flag.Args(), *limit, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, folders []string, limit int, verbose bool) error {
	var all Table
	for _, folder := range folders {
		tree, err := LoadTree(folder)
		if err != nil {
			return err
		}
		results, err := tree.Measure(ctx, limit)
		if err != nil {
			return err
		}
		for _, r := range results {
			if verbose && r.Kls != AtLine {
				fmt.Fprintln(out, r)
			}
		}
		all.Add(results)
	}
	fmt.Fprint(out, all.Markdown())
	return nil
}
