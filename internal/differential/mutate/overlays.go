package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/differential"
)

// runOverlays puts a random layer on top of a real tree, once for each of the seeds, and holds kls against kustomize.
func runOverlays(ctx context.Context, folders []string, seed uint64, count int) bool {
	kinds, refused, wrong, start := map[differential.Kind]int{}, 0, 0, time.Now()
	for i := range uint64(count) {
		r := rand.New(rand.NewPCG(seed+i, 2))
		tree, below, resources := realTree(ctx, folders[r.IntN(len(folders))])
		if len(resources) == 0 {
			continue
		}
		folder := differential.Overlay(seed+i, tree, below, resources)
		c := tree.Compare(ctx, folder)
		kinds[c.Kind]++
		if c.Kustomize.Refusal != nil {
			refused++
		}
		if c.Kind.Wrong() {
			wrong++
			smaller := differential.Minimise(ctx, tree, folder, 300)
			fmt.Printf("== seed %d: %s: %s\n%s\n", seed+i, below, smaller.Compare(ctx, folder), smaller)
		}
	}
	fmt.Printf("%s: kustomize refuses %d;", time.Since(start).Round(time.Second), refused)
	for kind, n := range kinds {
		fmt.Printf(" %d × %s;", n, kind)
	}
	fmt.Println()
	return wrong == 0
}

// realTree reads the files of a folder's build into memory, and returns what it renders.
func realTree(ctx context.Context, folder string) (differential.Tree, string, []*yaml.Node) {
	result, err := builder.NewSession(vfs.NewSnapshot(vfs.Disk())).Build(ctx, folder, builder.Options{})
	if err != nil || result.Root == nil || result.Failed() || result.Unknown {
		return nil, "", nil
	}
	tree := differential.Tree{}
	for _, path := range readFiles(result.Root) {
		if text, err := os.ReadFile(path); err == nil {
			tree[inMemory(path)] = text
		}
	}
	var nodes []*yaml.Node
	for _, r := range result.Resources {
		nodes = append(nodes, r.Node)
	}
	return tree, inMemory(folder), nodes
}

// inMemory is the path without what kustomize's file system in memory refuses.
func inMemory(path string) string {
	return strings.ReplaceAll(strings.TrimPrefix(path, "/"), "+", "-")
}
