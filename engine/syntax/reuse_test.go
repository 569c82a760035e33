package syntax

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

func randomTree(random *rand.Rand, depth int) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(random.IntN(3)), Line: random.IntN(2)}
	switch kind := random.IntN(3); {
	case depth == 0 || kind == 0:
		return n
	case kind == 1:
		n.Kind, n.Value = yaml.SequenceNode, ""
		for range random.IntN(4) {
			n.Content = append(n.Content, randomTree(random, depth-1))
		}
	default:
		n.Kind, n.Value = yaml.MappingNode, ""
		for i := range random.IntN(5) {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint("k", i)}, randomTree(random, depth-1))
		}
	}
	return n
}

func nodesOf(n *yaml.Node, into map[*yaml.Node]bool) map[*yaml.Node]bool {
	into[n] = true
	for _, child := range n.Content {
		nodesOf(child, into)
	}
	return into
}

// Whatever was changed, the result is the changed tree, and has none of its nodes.
func TestReuseChangesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	reused := 0
	for range 5000 {
		old := randomTree(random, 4)
		before := Copy(old)
		changed := Copy(old)
		for n := changed; ; n = n.Content[random.IntN(len(n.Content))] {
			if random.IntN(3) == 0 || len(n.Content) == 0 {
				*n = *randomTree(random, 2)
				break
			}
			if n.Kind == yaml.MappingNode && random.IntN(2) == 0 {
				n.Content = append([]*yaml.Node{{Kind: yaml.ScalarNode, Value: "new"}, randomTree(random, 1)}, n.Content...)
			}
		}
		got := Reuse(old, changed)
		if !reflect.DeepEqual(got, changed) || !reflect.DeepEqual(old, before) {
			t.Fatal("the tree is another one")
		}
		of := nodesOf(old, map[*yaml.Node]bool{})
		foreign := nodesOf(changed, map[*yaml.Node]bool{})
		for n := range nodesOf(got, map[*yaml.Node]bool{}) {
			if of[n] {
				reused++
			}
			if foreign[n] {
				t.Fatal("a node of the changed tree is in the result")
			}
		}
	}
	if reused < 10000 {
		t.Errorf("only %d nodes were reused", reused)
	}
}

// A change deep inside, and a field that is new before others, leave all the rest as it was.
func TestReuseKeepsWhatIsBesideAChange(t *testing.T) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte("spec: {conversion: 1, names: {a: 1, b: 2}, versions: [{schema: {x: 1}}, {schema: {y: 2}}]}"), &document); err != nil {
		t.Fatal(err)
	}
	old := document.Content[0]
	changed := Copy(old)
	spec := changed.Content[1]
	spec.Content = append([]*yaml.Node{{Kind: yaml.ScalarNode, Value: "added"}, {Kind: yaml.ScalarNode, Value: "1"}}, spec.Content...)
	Lookup(spec, "names", "a").Value = "2"
	got := Reuse(old, changed)
	for _, path := range [][]string{{"spec", "versions"}, {"spec", "names", "b"}, {"spec", "conversion"}} {
		if Lookup(got, path...) != Lookup(old, path...) {
			t.Errorf("%v was copied", path)
		}
	}
	if Lookup(got, "spec", "names", "a").Value != "2" || Lookup(old, "spec", "names", "a").Value != "1" {
		t.Error("the change is lost, or is in the old tree")
	}
}
