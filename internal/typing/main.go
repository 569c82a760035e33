// Command typing types the last entries of kustomizations again, character by character, and counts how often a check
// after a keystroke says something that only the unfinished entry causes: at lines that have nothing to do with the entry,
// and more than one thing at once.
//
//	go run ./internal/typing [-files N] [-told] FOLDER...
//
// What is also reported before the entry, or once it is complete, does not count. The files themselves are not touched.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
)

func main() {
	limit := flag.Int("files", 60, "kustomizations to type in, at most")
	told := flag.Bool("told", false, "print what is said wrongly, once for each rule and kustomization")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: typing [-files N] [-told] FOLDER...")
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Args(), *limit, *told); err != nil {
		fmt.Fprintln(os.Stderr, "typing:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string, limit int, told bool) error {
	var all Count
	for _, folder := range folders {
		count, err := Measure(ctx, folder, max(1, limit/len(folders)))
		if err != nil {
			return err
		}
		all.add(count)
	}
	if told {
		for _, line := range all.Said {
			fmt.Println(line)
		}
	}
	fmt.Println(all)
	return nil
}
