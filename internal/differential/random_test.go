package differential

import (
	"slices"
	"testing"

	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// seeds is how many random trees the tests build; `make fuzz-diff` goes on from there.
const seeds = 250

func TestRandomTrees(t *testing.T) {
	var built, wrong int
	for seed := range uint64(seeds) {
		tree, folder := Random(seed)
		c := tree.Compare(t.Context(), folder)
		if c.Kustomize.Refusal == nil {
			built++
		}
		if !c.Kind.Wrong() {
			continue
		}
		if wrong++; wrong > 3 {
			t.Errorf("seed %d: %s", seed, c.Kind)
			continue
		}
		smaller := Minimise(t.Context(), tree, folder, 300)
		t.Errorf("seed %d: %s\nof %s in\n%s", seed, smaller.Compare(t.Context(), folder), folder, smaller)
	}
	// Two refusals are easily the same: a generator that made only those would show nothing.
	if built < seeds/3 {
		t.Errorf("kustomize builds only %d of %d trees", built, seeds)
	}
}

func TestRandomIsTheSeeds(t *testing.T) {
	for seed := range uint64(20) {
		one, folder := Random(seed)
		other, otherFolder := Random(seed)
		if one.String() != other.String() || folder != otherFolder {
			t.Fatalf("seed %d gives two trees", seed)
		}
	}
	one, _ := Random(1)
	other, _ := Random(2)
	if one.String() == other.String() {
		t.Error("two seeds give one tree")
	}
}

// TestRandomReachesEveryField keeps a maker from going silent.
func TestRandomReachesEveryField(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(300) {
		tree, _ := Random(seed)
		for _, folder := range tree.Kustomizations() {
			var file map[string]any
			if yaml.Unmarshal(tree[folder+"/kustomization.yaml"], &file) != nil {
				continue // odd on purpose
			}
			for name, value := range file {
				seen[name] = seen[name] || value != nil
			}
		}
	}
	for _, maker := range slices.Concat(fieldMakers, configMakers) {
		if !seen[maker.name] {
			t.Errorf("no tree has %s", maker.name)
		}
	}
}

// TestMinimise asks for a tree that prints a resource: kustomize needs no more for that than the lines that are wanted.
func TestMinimise(t *testing.T) {
	tree := Tree{
		"kustomization.yaml": []byte("namePrefix: a-\nresources:\n- a.yaml\nnameSuffix: -b\n"),
		"a.yaml":             []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"),
		"unused.yaml":        []byte("a: b\n"),
	}
	prints := func(tree Tree) bool {
		fSys := filesys.MakeFsInMemory()
		for path, text := range tree {
			if err := fSys.WriteFile("/"+path, text); err != nil {
				t.Fatal(err)
			}
		}
		return len(buildWithKustomize(fSys, "/", false).Printed) > 0
	}
	smaller := minimise(t.Context(), tree, 200, prints)
	want := Tree{
		"kustomization.yaml": []byte("resources:\n- a.yaml\n"),
		"a.yaml":             []byte("kind: ConfigMap\nmetadata:\n  name: a\n"),
	}
	if smaller.String() != want.String() {
		t.Errorf("got\n%s\nwant\n%s", smaller, want)
	}
}

// TestSignature keeps what Minimise holds on to: the name's hash and the resource's name may change, the fault may not.
func TestSignature(t *testing.T) {
	bytesDiffer := func(kls, kustomize string) Comparison {
		return Comparison{Kind: OtherBytes, Kls: Outcome{Printed: []byte(kls)}, Kustomize: Outcome{Printed: []byte(kustomize)}}
	}
	one := bytesDiffer("a: 1\nname: x-5dbgdm7kbf\n", "a: 1\nname: y-dg8h5422t4\n")
	if other := bytesDiffer("name: x-tttttttttt\n", "name: y-bbbbbbbbbb\n"); one.signature() != other.signature() {
		t.Errorf("%q and %q are two", one.signature(), other.signature())
	}
	if other := bytesDiffer("a: 1\n", "a: 2\n"); one.signature() == other.signature() {
		t.Errorf("%q is one", one.signature())
	}
}
