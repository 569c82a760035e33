package schema

import (
	"math/rand/v2"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// What a shape accepts, the schema must not refuse: a wrong resource of which nothing is
// told is the one mistake that a shape can make. The resources are right ones with
// something changed at a random place.
func TestShapesAcceptNothingWrong(t *testing.T) {
	const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: small, ratio: 0.5, labels: {a: b}, " +
		"list: [{a: 1}], maybe: [x, null], partly: {known: 1, closed: {a: b}, more: 1}, when: 2020-01-02T03:04:05Z}\n"
	k := newest(t).WithCRDs([]*yaml.Node{parse(t, widgets)})
	random := rand.New(rand.NewPCG(1, 2))
	for _, content := range []string{deployment, statefulSet, widgets, widget} {
		accepted, refused := 0, 0
		for range 1000 {
			resource := parse(t, content)
			damage(random, resource)
			name := nameOf(resource)
			shape := k.shape(name)
			if shape == nil {
				continue
			}
			found := k.validate(resource, name)
			switch {
			case !shape.accepts(resource, 0):
				refused++
			case len(found) > 0:
				text, _ := yaml.Marshal(resource)
				t.Fatalf("the shape accepts what is wrong: %s\n%s", found[0].Message, text)
			default:
				accepted++
			}
		}
		if refused == 0 || accepted == 0 && content != widget {
			t.Errorf("%d are accepted and %d refused of\n%s", accepted, refused, content)
		}
	}
}

// damage changes something in a value.
func damage(random *rand.Rand, n *yaml.Node) {
	for len(n.Content) > 0 && random.IntN(8) > 0 {
		n = n.Content[random.IntN(len(n.Content))]
	}
	other := []yaml.Node{
		{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, {Kind: yaml.ScalarNode, Tag: "!!str", Value: "x"},
		{Kind: yaml.ScalarNode, Tag: "!!int", Value: "99999999999"}, {Kind: yaml.ScalarNode, Tag: "!!int", Value: "-1"},
		{Kind: yaml.ScalarNode, Tag: "!!float", Value: "1.5"}, {Kind: yaml.ScalarNode, Tag: "!!float", Value: "1e300"},
		{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"}, {Kind: yaml.SequenceNode, Tag: "!!seq"}, {Kind: yaml.MappingNode, Tag: "!!map"},
	}
	switch at := random.IntN(len(n.Content) + 1); {
	case at == len(n.Content):
		*n = other[random.IntN(len(other))]
	case n.Kind == yaml.MappingNode:
		at -= at % 2
		switch random.IntN(3) {
		case 0:
			n.Content = append(n.Content[:at:at], n.Content[at+2:]...)
		case 1:
			n.Content = append(n.Content, n.Content[at], &other[random.IntN(len(other))])
		default:
			key := *n.Content[at]
			key.Value += "s"
			n.Content[at] = &key
		}
	default:
		n.Content = append(n.Content, &other[random.IntN(len(other))])
	}
}

// That shapes do not accept what is right would show in nothing but time.
func TestShapesKnowTheKindsOfKubernetes(t *testing.T) {
	for _, version := range Versions() {
		k, seen := at(t, version), map[*shape]bool{}
		for _, definition := range k.builtin.kinds {
			if beyond := beyondIn(k.builtin.shape(definition), seen); beyond {
				t.Errorf("%s: %s says something that its shape does not have", version, definition)
			}
		}
	}
	resources := append(generated(t, 5), parse(t, deployment), parse(t, widgets))
	for _, resource := range resources {
		if k := newest(t); !k.shape(nameOf(resource)).accepts(resource, 0) {
			t.Errorf("the shape of %v does not accept a right one", nameOf(resource))
		}
	}
}

func beyondIn(s *shape, seen map[*shape]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	parts := []*shape{s.additional, s.items, s.then, s.otherwise}
	for _, property := range s.properties {
		parts = append(parts, property)
	}
	if s.reference != "" {
		parts = append(parts, s.referred())
	}
	for _, part := range parts {
		if beyondIn(part, seen) {
			return true
		}
	}
	return s.beyond
}

func TestShapeOfAnEnumerationWithoutType(t *testing.T) {
	s := parseShape(nil, `{"enum": ["a", "b"]}`)
	if !s.accepts(parse(t, "a"), 0) {
		t.Error("one of the values is not accepted")
	}
	for _, other := range []string{"c", "1", "true", "[a]", "{a: b}"} {
		if s.accepts(parse(t, other), 0) {
			t.Errorf("%s is accepted", other)
		}
	}
}
