// Command kls checks and renders kustomizations, and serves editors.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/build"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

func main() {
	dir, _ := filepath.Abs(os.Args[2])
	r, err := build.Build(context.Background(), vfs.NewSnapshot(vfs.Disk()), dir, build.Options{Analyze: len(os.Args) > 3})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, p := range r.Problems {
		fmt.Fprintln(os.Stderr, p.Fatal, p.Code, p.Message, p.Help)
	}
	if r.Failed() {
		os.Exit(1)
	}
	out, err := r.YAML(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(out)
}
