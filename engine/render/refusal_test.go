package render

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// TestRefusals holds mistakes with the node that must be named. That
// kustomize refuses them, too, checkNode asks kustomize.
func TestRefusals(t *testing.T) {
	long := strings.Repeat("k", 1023)
	cases := []struct {
		name, text string
		reason     Reason
		// value and line (1-based) are the node's.
		value string
		line  int
	}{
		{"duplicate key", "a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", DuplicateKey, "c", 5},
		{"duplicate key with quotes", "a: {c: 1, 'c': 2}\n", DuplicateKey, "c", 1},
		{"duplicate key with digits", "a:\n  c1: x\n  c2: x\n  c1: x\n", DuplicateKey, "c1", 4},
		{"duplicate of many", "k1: x\nk2: x\nk3: x\nk4: x\nk5: x\nk6: x\nk7: x\nk8: x\nk9: x\nk10: x\nk11: x\nk12: x\nk13: x\nk1: x\n", DuplicateKey, "k1", 14},
		{"number as key", "a: x\ndata:\n  b: x\n  80: x\n", KeyNotString, "80", 4},
		{"boolean as key", "data: {true: x}\n", KeyNotString, "true", 1},
		{"null as key", "data:\n  ~: x\n", KeyNotString, "~", 2},
		{"list as key", "data:\n  [a]: x\n", KeyNotString, "", 2},
		{"map as key", "a: 1\n? {a: b}\n: x\n", KeyNotString, "", 2},
		{"long key", "data:\n  ? " + long + "\n  : x\n", KeyTooLong, long, 2},
		{"control character", "a: b\nc: \"d\\x7f\"\n", ForbiddenCharacter, "d\x7f", 2},
		{"control character in key", "a: b\n\"c\\x80\": d\n", ForbiddenCharacter, "c\u0080", 2},
		{"next line in key", "a: b\n\"c\\N\": d\n", ForbiddenCharacter, "c\u0085", 2},
		{"not a character", "a:\n- \"\\uffff\"\n", ForbiddenCharacter, "\uffff", 2},
		{"infinity", "a: 1\nb: [1, .inf]\n", NotFinite, ".inf", 2},
		{"not a number", "a: 1\nb: .NaN\n", NotFinite, ".NaN", 2},
		{"tag of another kind", "a: x\nb: !!int x\n", TagMismatch, "x", 2},
		{"tag of a boolean", "a: x\nb: !!bool yes\n", TagMismatch, "yes", 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var document yaml.Node
			if err := yaml.Unmarshal([]byte(c.text), &document); err != nil {
				t.Fatal(err)
			}
			checkNode(t, &document)
			checkNode(t, document.Content[0])
			_, err := Document(nil, document.Content[0])
			var refusal *Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("error = %v, want a *Refusal", err)
			}
			if refusal.Reason != c.reason || refusal.Node.Value != c.value || refusal.Node.Line != c.line {
				t.Errorf("reason %d, value %q, line %d; want %d, %q, %d (%v)", refusal.Reason,
					refusal.Node.Value, refusal.Node.Line, c.reason, c.value, c.line, err)
			}
		})
	}
}

// TestNearMisses holds what looks like a mistake and prints.
func TestNearMisses(t *testing.T) {
	for _, text := range []string{
		"80: a\ntrue: b\n~: c\n", "a: {'80': b}\n", "a: {b: 1, B: 2}\n", "'1': a\n01: b\n", "a: !!float 1\n", "a: ! x\n", "a: !!binary aGk=\n",
		"? " + strings.Repeat("k", 1022) + "\n: x\n", "a: \"b\\Nc\"\n", "a: \"\\uFEFF\"\n", "a: 1e400\n", "- a\n- b\n", "{}\n", "[]\n", "~\n",
		"a: &x {b: c}\nd:\n  <<: *x\n", "a: {<<: {b: c}, d: e}\n", "a: {<<: [{b: c}, {b: d, e: f}], e: g}\n", "'<<': a\n", "a: <<\n",
	} {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		checkNode(t, &document)
	}
}

func nested(depth int, wrap func(*yaml.Node) *yaml.Node) *yaml.Node {
	n := key("x")
	for range depth {
		n = wrap(n)
	}
	return n
}

func TestDepth(t *testing.T) {
	wraps := map[string]func(*yaml.Node) *yaml.Node{
		"lists": func(n *yaml.Node) *yaml.Node { return list(n) },
		"flow":  func(n *yaml.Node) *yaml.Node { return flow(list(n)) },
		"mixed": func(n *yaml.Node) *yaml.Node { return list(mapping(key("k"), n)) },
	}
	for name, wrap := range wraps {
		for _, depth := range []int{10, 100} {
			checkNode(t, nested(depth, wrap))
		}
		if name == "mixed" {
			continue
		}
		for _, depth := range []int{10000, 10001} {
			_, err := Document(nil, nested(depth, wrap))
			_, wantErr := kustomizePrints(nested(depth, wrap))
			if (err != nil) != (wantErr != nil) {
				t.Errorf("%s, depth %d: error = %v, kustomize's is %v", name, depth, err, wantErr)
			}
		}
	}
	var refusal *Refusal
	if _, err := Document(nil, nested(1000000, wraps["mixed"])); !errors.As(err, &refusal) || refusal.Reason != TooDeep {
		t.Errorf("error = %v, want a refusal", err)
	}
}

func TestAliases(t *testing.T) {
	anchored := mapping(key("b"), scalarNode("", 0, "1"))
	alias := &yaml.Node{Kind: yaml.AliasNode, Value: "x", Alias: anchored}
	n := mapping(key("z"), alias, key("a"), list(alias, alias))
	plain := mapping(key("z"), anchored, key("a"), list(anchored, anchored))
	want, err := Document(nil, plain)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []*yaml.Node{n, mapping(key("<<"), n)} {
		if got, err := Document(nil, n); err != nil || string(got) != string(want) {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
}

func TestAliasBombs(t *testing.T) {
	bomb := list(key("x"))
	for range 40 {
		alias := &yaml.Node{Kind: yaml.AliasNode, Alias: bomb}
		bomb = list(alias, alias)
	}
	circle := mapping()
	circle.Content = []*yaml.Node{key("a"), {Kind: yaml.AliasNode, Alias: circle}}
	lost := mapping(key("a"), &yaml.Node{Kind: yaml.AliasNode, Value: "x"})
	for name, n := range map[string]*yaml.Node{"bomb": bomb, "circle": circle, "lost": lost} {
		for _, n := range []*yaml.Node{n, mapping(key("a"), n, key("b"), scalarNode("!!float", 0, "1"))} {
			var refusal *Refusal
			if _, err := Document(nil, n); !errors.As(err, &refusal) {
				t.Errorf("%s: error = %v, want a *Refusal", name, err)
			}
		}
	}
}

func TestResourcesRefused(t *testing.T) {
	var nodes []*yaml.Node
	for i := range 100 {
		nodes = append(nodes, mapping(key("a"), key(fmt.Sprint(i))))
	}
	for _, i := range []int{40, 41, 99} {
		nodes[i] = mapping(key("a"), scalarNode("", 0, ".nan"))
	}
	_, err := Resources(context.Background(), nodes)
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Index != 40 || refusal.Node != nodes[40].Content[1] {
		t.Errorf("error = %#v, want the refusal of resource 40", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Resources(ctx, nodes); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
	if out, err := Resources(context.Background(), nil); len(out) != 0 || err != nil {
		t.Errorf("no resources print %q, %v", out, err)
	}
}

// TestMissingNodes holds trees that no parser makes but a careless caller
// could: nothing prints as null.
func TestMissingNodes(t *testing.T) {
	want := "a: null\nb:\n- null\n"
	for _, nothing := range []*yaml.Node{nil, {}, scalarNode("!!null", 0, "")} {
		got, err := Document(nil, mapping(key("b"), list(nothing), key("a"), nothing))
		if err != nil || string(got) != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	if got, err := Document(nil, nil); err != nil || string(got) != "null\n" {
		t.Errorf("got %q, %v", got, err)
	}
	var refusal *Refusal
	if _, err := Document(nil, mapping(nil, key("a"), key("b"), scalarNode("", 0, ".nan"))); !errors.As(err, &refusal) {
		t.Errorf("error = %v, want a *Refusal", err)
	}
}
