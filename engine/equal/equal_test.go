package equal

import (
	"reflect"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		a, b                  string
		values, trees, writes bool
	}{
		{"a: 1", "a: 1", true, true, true},
		{"a: 1", "a:   1", true, true, true},
		{"a: x", "a: 'x'", true, true, false},
		{"a: x", "a: x # c", true, true, false},
		{"{a: 1}", "a: 1", true, true, false},
		{"a: 1", "a: '1'", false, false, false},
		{"a: 1", "a: 2", false, false, false},
		{"{a: 1, b: 2}", "{b: 2, a: 1}", true, false, false},
		{"{a: 1, b: 2}", "{a: 1}", false, false, false},
		{"{a: 1}", "{a: 1, b: 2}", false, false, false},
		{"{a: {b: 1, c: 2}}", "{a: {c: 2, b: 1}}", true, false, false},
		{"[{a: 1, b: 2}]", "[{b: 2, a: 1}]", true, false, false},
		{"[1, 2]", "[2, 1]", false, false, false},
		{"[1, 2]", "[1]", false, false, false},
		{"a: []", "a: {}", false, false, false},
		{"{a: 1, b: 2}", "{a: 1, a: 1}", false, false, false},
		{"{a: 0, a: 1}", "{a: 1}", true, false, false},
	} {
		a, b := node(t, tt.a), node(t, tt.b)
		for _, x := range [][2]*yaml.Node{{a, b}, {b, a}} {
			if got := [3]bool{Values(x[0], x[1]), Trees(x[0], x[1]), Texts(x[0], x[1])}; got != [3]bool{tt.values, tt.trees, tt.writes} {
				t.Errorf("%s and %s: %v", tt.a, tt.b, got)
			}
		}
	}
	if Trees(nil, node(t, "a")) || !Values(nil, nil) {
		t.Error("nothing equals nothing alone")
	}
}

// FuzzEqual holds Values against what Go makes of the same documents, and each sense against the wider one.
func FuzzEqual(f *testing.F) {
	f.Add("{a: 1, b: [x, {c: d}]}", "{b: [x, {c: d}], a: 1}")
	f.Add("a: 'x'", "a: x")
	f.Fuzz(func(t *testing.T, first, second string) {
		var a, b yaml.Node
		if yaml.Unmarshal([]byte(first), &a) != nil || yaml.Unmarshal([]byte(second), &b) != nil {
			return
		}
		values, trees, texts := Values(&a, &b), Trees(&a, &b), Texts(&a, &b)
		if texts && !trees || trees && !values && !repeats(&a) {
			t.Fatalf("%q and %q: values %v, trees %v, texts %v", first, second, values, trees, texts)
		}
		var x, y any
		if a.Decode(&x) != nil || b.Decode(&y) != nil {
			return
		}
		if values && !exotic(&a) && !exotic(&b) && !reflect.DeepEqual(x, y) {
			t.Fatalf("%q is %v and %q is %v", first, x, second, y)
		}
	})
}

// exotic tells of a tree whose nodes say less than the reader makes of them: aliases, merges and custom tags, and the
// number that is not equal to itself.
func exotic(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!merge" || n.ShortTag() == "!!float" || n.Style&yaml.TaggedStyle != 0) {
		return true
	}
	for i, child := range n.Content {
		if exotic(child) || n.Kind == yaml.MappingNode && i%2 == 0 && child.ShortTag() != "!!str" {
			return true
		}
	}
	return false
}

func repeats(n *yaml.Node) bool {
	seen := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if seen[child.Value] {
				return true
			}
			seen[child.Value] = true
		}
		if repeats(child) {
			return true
		}
	}
	return false
}

func node(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil {
		t.Fatal(err)
	}
	return n.Content[0]
}
