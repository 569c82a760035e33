// Command setting sets random scalars of rendered kustomizations to another value, or takes them away, as `kls set` and
// `kls unset` do, and asks kustomize what comes of it: the same, with just that value changed.
//
//	go run ./internal/setting [-count N] [-seed N] [-unset] [-kustomize PROGRAM] [-texts N] FOLDER...
//
// Without -kustomize the library of kustomize is asked, in this process. The folders themselves are not touched.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
)

func main() {
	var o options
	flag.IntVar(&o.count, "count", 300, "values to change")
	flag.Uint64Var(&o.seed, "seed", 1, "where the random numbers begin")
	flag.BoolVar(&o.unset, "unset", false, "take values away")
	flag.StringVar(&o.kustomize, "kustomize", "", "the program to ask, in place of the library")
	flag.IntVar(&o.texts, "texts", 0, "print what was written, this many times")
	flag.BoolVar(&o.refusals, "refusals", false, "print what was refused")
	flag.BoolVar(&o.fixtures, "fixtures", false, "take the trees of the txtar files in the folders")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: setting [flags] FOLDER...")
		os.Exit(2)
	}
	count, err := run(context.Background(), os.Stdout, o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "setting:", err)
		os.Exit(2)
	}
	fmt.Println(count)
	if count.Wrong > 0 {
		os.Exit(1)
	}
}
