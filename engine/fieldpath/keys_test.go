package fieldpath

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// Whatever becomes of a mapping, its keys are found where a search finds them.
func TestKeysAreFoundAsBySearching(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	scalar := func(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i := range 2 * fewKeys {
		n.Content = append(n.Content, scalar(fmt.Sprint(i%(fewKeys+50))), scalar(fmt.Sprint(i)))
	}
	var keys Keys
	for range 5000 {
		key := fmt.Sprint(random.IntN(3 * fewKeys))
		if got, want := keys.value(n, key), valueOf(n, key); got != want {
			t.Fatalf("%s is %v, a search finds %v", key, got, want)
		}
		switch at := 2 * random.IntN(len(n.Content)/2); random.IntN(50) {
		case 0:
			n.Content = slices.Delete(n.Content, at, at+2)
		case 1:
			n.Content = append(n.Content, scalar(fmt.Sprint(random.IntN(3*fewKeys))), scalar("new"))
		}
	}
}
