// Command fuzz builds random trees with kls and with kustomize until it is stopped, and prints each tree that the two
// treat differently, made as small as it gets, as a txtar archive.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/signal"
	"time"

	"github.com/kustomize-lsp/kls/internal/differential"
)

func main() {
	from := flag.Uint64("from", 1000, "first seed")
	count := flag.Uint64("count", math.MaxUint32, "how many seeds")
	limit := flag.Duration("for", 0, "stop after this long; 0 is never")
	wanted := flag.Int("differences", 10, "stop after this many differences")
	budget := flag.Int("budget", 1000, "builds to spend on making one difference smaller")
	flag.Parse()
	log.SetOutput(io.Discard) // kustomize warns of deprecated fields

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *limit)
		defer cancel()
	}
	if search(ctx, *from, *count, *wanted, *budget) > 0 {
		os.Exit(1)
	}
}

// search returns the number of differences that it found and printed.
func search(ctx context.Context, from, count uint64, wanted, budget int) int {
	found := 0
	kinds := map[differential.Kind]int{}
	start, seed := time.Now(), from
	for ; seed < from+count && found < wanted && ctx.Err() == nil; seed++ {
		tree, folder := differential.Random(seed)
		c := tree.Compare(ctx, folder)
		if ctx.Err() != nil {
			break // a build that was cut short says nothing
		}
		kinds[c.Kind]++
		if !c.Kind.Wrong() {
			continue
		}
		found++
		smaller := differential.Minimise(ctx, tree, folder, budget)
		fmt.Printf("== seed %d: %s: %s\n%s\n", seed, folder, smaller.Compare(context.WithoutCancel(ctx), folder), smaller)
	}
	fmt.Printf("%d trees in %s:", seed-from, time.Since(start).Round(time.Second))
	for kind, number := range kinds {
		fmt.Printf(" %d × %s.", number, kind)
	}
	fmt.Println()
	return found
}
