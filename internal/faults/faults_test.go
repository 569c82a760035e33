package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/fixture"
)

// leastPlaced is the share of mistakes, in percent, that has to be found at its line.
const leastPlaced = 98

func TestMistakesAreFoundAtTheirLine(t *testing.T) {
	var trees []*Tree
	for _, folder := range []string{"shop", "structured-data"} {
		tree, err := LoadTree(filepath.Join("..", "..", "examples", folder))
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	for _, name := range []string{"replica-no-match", "patch-no-target", "dangling-reference", "generator-no-base"} {
		trees = append(trees, fixtureTree(t, name))
	}
	made, placed, kindsMade := 0, 0, map[string]bool{}
	for _, tree := range trees {
		results, err := tree.Measure(context.Background(), 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			made, kindsMade[r.Kind] = made+1, true
			if r.Kls == AtLine {
				placed++
			} else {
				t.Log(r)
			}
		}
	}
	if len(kindsMade) < 16 || made < 100 {
		t.Errorf("only %d mistakes of %d kinds were made", made, len(kindsMade))
	}
	if placed*100 < made*leastPlaced {
		t.Errorf("%d of %d mistakes were found at their line, fewer than %d%%", placed, made, leastPlaced)
	}
}

// fixtureTree is the tree of a rule's fixture; only its roots that build are used.
func fixtureTree(t *testing.T, name string) *Tree {
	t.Helper()
	f, err := fixture.Load(filepath.Join("..", "..", "analysis", "rules", "testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	tree := &Tree{Dir: mount, Files: map[string][]byte{}}
	for _, file := range f.Files {
		tree.Files[filepath.Join(mount, file.Path)] = file.Data
	}
	return tree
}

// A mistake that is at another line than the harness thinks makes all counts wrong.
func TestChangesAreAtTheLineThatIsSaid(t *testing.T) {
	tree, err := LoadTree(filepath.Join("..", "..", "examples", "shop"))
	if err != nil {
		t.Fatal(err)
	}
	s, ok := tree.subject(filepath.Join(mount, "overlays", "prod"))
	if !ok {
		t.Fatal("the example has no kustomization")
	}
	for _, k := range kinds() {
		for _, place := range k.spots(s) {
			c, ok := k.make(place)
			if !ok {
				continue
			}
			before, after := strings.Split(string(place.text), "\n"), strings.Split(string(c.text), "\n")
			first := 0
			for first < len(before) && first < len(after) && before[first] == after[first] {
				first++
			}
			if got := c.line - 1; got > first || got < first-1 && before[got] != after[got] || strings.Join(before, "") == strings.Join(after, "") {
				t.Errorf("%s: the first line that differs is %d, and the mistake is said to be at %d", k.name, first+1, c.line)
			}
		}
	}
}

func TestMistype(t *testing.T) {
	for name, want := range map[string]string{
		"web":        "wbe",
		"web.yaml":   "wbe.yaml",
		"base/api":   "base/aip",
		"aaa":        "aaax",
		"../../base": "../../baes",
		"port-8":     "potr-8",
	} {
		if got := mistype(name); got != want {
			t.Errorf("mistype(%q) = %q, not %q", name, got, want)
		}
	}
}
