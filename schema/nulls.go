package schema

import (
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v5"
	yaml "go.yaml.in/yaml/v3"
)

// collectNulls finds unknown fields whose value is null. A null counts as absent
// and is not among the values that are validated, but strict decoding minds the
// name all the same.
func (c *collector) collectNulls(s *jsonschema.Schema, n *yaml.Node, path []string, order []int) {
	n, s = resolved(n), structure(s)
	if s == nil || n == nil || len(path) > deepest {
		return
	}
	switch n.Kind {
	case yaml.SequenceNode:
		items, _ := s.Items.(*jsonschema.Schema)
		for i, entry := range n.Content {
			c.collectNulls(items, entry, with(path, strconv.Itoa(i)), append(slices.Clone(order), i))
		}
	case yaml.MappingNode:
		c.collectNullFields(s, n, path, order)
	}
}

func (c *collector) collectNullFields(s *jsonschema.Schema, n *yaml.Node, path []string, order []int) {
	more, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolved(n.Content[i+1])
		property := s.Properties[key.Value]
		switch {
		case property == nil && s.AdditionalProperties == false && isNull(value) && !isPlaceholderKey(key, value):
			known := slices.Sorted(maps.Keys(s.Properties))
			c.found = append(c.found, located{unknownField(path, n, key, known), append(slices.Clone(order), i)})
		case property != nil:
			c.collectNulls(property, value, with(path, key.Value), append(slices.Clone(order), i+1))
		case more != nil:
			c.collectNulls(more, value, with(path, key.Value), append(slices.Clone(order), i+1))
		}
	}
}

// structure follows references to the schema that has the properties.
func structure(s *jsonschema.Schema) *jsonschema.Schema {
	for range deepest {
		if s == nil {
			return nil
		}
		if s.Then != nil {
			s = s.Then
		}
		r, ok := s.Extensions[referenceKeyword].(*reference)
		if !ok {
			return s
		}
		s = r.target()
	}
	return nil
}

// hasNull tells whether a mapping somewhere in a value has a null field.
func hasNull(n *yaml.Node, depth int) bool {
	if n = resolved(n); n == nil || depth > deepest {
		return false
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && isNull(resolved(child)) || hasNull(child, depth+1) {
			return true
		}
	}
	return false
}

func isNull(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}
