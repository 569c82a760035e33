package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var trees = flag.String("trees", "", "put the mistakes into this checkout, too")

// TestFaults: kls reports every mistake at its line.
func TestFaults(t *testing.T) {
	// A checkout of its own: this repository has folders of the same names.
	example := t.TempDir()
	if err := os.CopyFS(example, os.DirFS(filepath.Join("..", "..", "examples", "flux"))); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{example, *trees} {
		if root == "" {
			continue
		}
		results, err := measure(t.Context(), root, 3)
		if err != nil {
			t.Fatal(err)
		}
		kinds := 0
		for _, r := range results {
			if r.made > 0 {
				kinds++
			}
			for _, missed := range r.missed {
				t.Errorf("%s: %s", r.kind, missed)
			}
		}
		if kinds < 18 {
			t.Errorf("only %d kinds of mistakes were made in %s", kinds, root)
		}
	}
}
