package resource

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/engine/syntax"
)

// Whatever changes, in whatever order the indexes came to be asked, a question gets the
// answer of a look at every resource.
func TestSetAnswersAsALookAtAllResources(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		word := func(words ...string) string { return words[random.IntN(len(words))] }
		var s Set
		for i := range 6 {
			s.Append(parse(t, fmt.Sprintf("{apiVersion: v1, kind: A, metadata: {name: n%d, namespace: x}}", i)))
		}
		for range 12 {
			if s.Len() == 0 {
				break
			}
			r := s.List()[random.IntN(s.Len())]
			switch random.IntN(8) {
			case 0:
				s.Retain(func(x *Resource) bool { return x != r })
			case 1:
				s.Replace(r, parse(t, "{apiVersion: v1, kind: B, metadata: {name: n1, namespace: y}}"))
			case 2:
				s.Reorder(append(slices.Clone(s.List()[1:]), s.List()[0]))
			case 3:
				r.Change(func(e *Edit) { e.Put(nil) })
			default:
				r.Change(func(e *Edit) {
					if random.IntN(2) == 0 {
						e.StorePrevious()
					}
					syntax.Lookup(e.Node, "apiVersion").Value = word("v1", "apps/v1", "apps/v2")
					syntax.Lookup(e.Node, "kind").Value = word("A", "B")
					syntax.Lookup(e.Node, "metadata", "name").Value = word("n1", "n2", "n3")
					syntax.Lookup(e.Node, "metadata", "namespace").Value = word("x", "y")
				})
			}
			s.Retain(func(x *Resource) bool { return !x.Empty() })
			id := ID{Version: "v1", Group: word("", "apps"), Kind: word("A", "B"), Name: word("n1", "n2"), Namespace: word("x", "y", "")}
			checkAnswers(t, &s, id, random.IntN(5))
			if t.Failed() {
				t.Fatalf("with seed %d", seed)
			}
		}
	}
}

func checkAnswers(t *testing.T, s *Set, id ID, question int) {
	t.Helper()
	holds, answer, exact := map[int]func(ID) bool{
		0: id.Equal,
		1: id.Equal,
		2: func(other ID) bool { return other.key() == id.key() },
		3: func(other ID) bool { return other.Name == id.Name },
		4: func(other ID) bool { return other.Kind == id.Kind },
	}[question], []*Resource(nil), question < 3
	switch question {
	case 0:
		answer = s.WithCurrent(id)
	case 1:
		answer = s.WithAny(id)
	case 2:
		answer = s.WithAnyName(id)
	case 3:
		answer = s.Named(id.Name)
	case 4:
		answer = s.OfKind(id.Kind)
	}
	var want []*Resource
	for _, r := range s.List() {
		if question == 0 && holds(r.ID()) || question != 0 && r.AnyID(holds) {
			want = append(want, r)
		}
	}
	if !exact { // more than that may be found
		answer = slices.DeleteFunc(answer, func(r *Resource) bool { return !r.AnyID(holds) })
	}
	if !slices.Equal(answer, want) {
		t.Errorf("question %d about %v: %d resources, want %d", question, id, len(answer), len(want))
	}
}
