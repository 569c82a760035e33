// Command fluxoracle renders random checkouts with Flux's own code and with kls, and
// prints where the two differ. With -write it writes down what Flux makes of every second
// checkout, for the tests of package fluxtree; with -add it adds to that what Flux makes of
// all of these.
//
// It is a module of its own, since what it needs of Flux is large.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/fluxtree"
)

func main() {
	from := flag.Uint64("from", 0, "the first seed")
	count := flag.Uint64("count", 1000, "how many checkouts")
	write := flag.String("write", "", "write what Flux renders to this file")
	add := flag.String("add", "", "add what Flux renders to this file")
	show := flag.Int("show", 3, "how many differences to print whole")
	flag.Parse()
	var total tally
	golden := strings.Builder{}
	for seed := *from; seed < *from+*count; seed++ {
		run(seed, &total, &golden, *show, *add != "" || seed%2 == 0)
	}
	fmt.Printf("%d Kustomizations of %d checkouts: %d the same bytes, %d refused by both, %d not known, %d differ\n",
		total.same+total.refused+total.unknown+total.wrong, *count, total.same, total.refused, total.unknown, total.wrong)
	if err := errors.Join(save(*write, os.O_TRUNC, golden.String()), save(*add, os.O_APPEND, golden.String())); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if total.wrong > 0 {
		os.Exit(1)
	}
}

// save writes a text to a file, which may have no name.
func save(path string, how int, text string) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|how, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

type tally struct{ same, refused, unknown, wrong int }

// run renders one checkout with both.
func run(seed uint64, total *tally, golden *strings.Builder, show int, keep bool) {
	root, err := os.MkdirTemp("", "fluxoracle")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	tree := fluxtree.Random(seed)
	for name, text := range tree {
		path := filepath.Join(root, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			panic(err)
		}
	}
	set, err := deployment.Find(context.Background(), builder.NewSession(vfs.NewSnapshot(vfs.Disk())), root, deployment.Settings{}, nil)
	if err != nil {
		panic(err)
	}
	all := rendered(root, tree[fluxtree.Parent])
	for _, id := range slices.Sorted(maps.Keys(all)) {
		want := all[id]
		got := fluxtree.Outcome(set, id)
		expected := describe(want)
		if keep {
			fmt.Fprintf(golden, "%d %s %s\n", seed, id, expected)
		}
		switch {
		case expected == fluxtree.NotKnown:
			total.unknown++
		case got != expected:
			total.wrong++
			if total.wrong <= show {
				fmt.Printf("seed %d, %s: Flux %s, kls %s\n%s\n", seed, id, expected, got, difference(set, id, want, tree.String()))
			} else {
				fmt.Printf("seed %d, %s differs: Flux %v; kls %s\n", seed, id, want.err, got)
			}
		case expected == fluxtree.Refused:
			total.refused++
		default:
			total.same++
		}
	}
}

// rendered is what Flux makes of all Kustomizations, by ID.
func rendered(root string, parent []byte) map[string]outcome {
	var ks unstructured.Unstructured
	if err := yaml.Unmarshal(parent, &ks.Object); err != nil {
		panic(err)
	}
	first := render(root, ks, nil)
	all := map[string]outcome{idOf(ks): first}
	if first.err != nil {
		return all
	}
	children, err := objects(first.text)
	if err != nil {
		panic(err)
	}
	var cluster client.Client = newCluster(first.resources)
	for _, child := range children {
		all[idOf(child)] = render(root, child, cluster)
	}
	return all
}

func idOf(ks unstructured.Unstructured) string {
	return "Kustomization/" + ks.GetNamespace() + "/" + ks.GetName()
}

func describe(o outcome) string {
	switch {
	case o.err == errUnknown:
		return fluxtree.NotKnown
	case o.err != nil:
		return fluxtree.Refused
	}
	return fluxtree.Hash([]byte(o.text))
}

func difference(set *deployment.Set, id string, want outcome, tree string) string {
	var b strings.Builder
	if want.err != nil {
		fmt.Fprintf(&b, "Flux: %v\n", want.err)
	}
	for _, d := range set.Find(id) {
		text, err := set.YAML(d)
		fmt.Fprintf(&b, "kls: %s %s %v\n", d.Verdict, d.Reason, err)
		if want.err == nil && len(text) > 0 {
			wanted, got := strings.Split(want.text, "\n"), strings.Split(string(text), "\n")
			for i := range min(len(wanted), len(got)) {
				if wanted[i] != got[i] {
					fmt.Fprintf(&b, "line %d\n- %s\n+ %s\n", i+1, wanted[i], got[i])
					break
				}
			}
			if len(wanted) != len(got) {
				fmt.Fprintf(&b, "%d lines, not %d\n", len(got), len(wanted))
			}
		}
	}
	fmt.Fprintf(&b, "%s", tree)
	return b.String()
}

func splitDocuments(text string) []string { return strings.Split(text, "\n---\n") }
