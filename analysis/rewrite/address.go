package rewrite

import (
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// SplitAssignment takes ADDRESS=VALUE apart, at the first equals sign outside of brackets.
func SplitAssignment(assignment string) (address, value string, ok bool) {
	depth := 0
	for i := 0; i < len(assignment); i++ {
		switch assignment[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			depth--
		case '=':
			if depth <= 0 {
				return assignment[:i], assignment[i+1:], i > 0
			}
		}
	}
	return "", "", false
}

// ParseValue reads a value as YAML. An empty text is the empty string.
func ParseValue(content string) (*yaml.Node, error) {
	var doc yaml.Node
	if strings.TrimSpace(content) == "" {
		return word(""), nil
	}
	if err := yaml.Unmarshal([]byte(content), &doc); err != nil {
		return nil, fmt.Errorf("the value is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return word(""), nil
	}
	table := syntax.NewTable()
	resolved, problems := syntax.ResolveAliases(table, doc.Content[0])
	if len(problems) > 0 || resolved == nil {
		return nil, fmt.Errorf("the aliases of the value cannot be resolved")
	}
	return bare(resolved), nil
}

// bare copies a node without places, comments and quotes: it gets those that it needs.
func bare(n *yaml.Node) *yaml.Node {
	to := &yaml.Node{Kind: n.Kind, Tag: n.ShortTag(), Value: n.Value, Style: n.Style & yaml.TaggedStyle}
	for _, child := range n.Content {
		to.Content = append(to.Content, bare(child))
	}
	return to
}

// step is one level of the way to a value: a key of a mapping, or the index of a list's element, which is element unless
// it is to be added.
type step struct {
	key     string
	isIndex bool
	index   int
	element *yaml.Node
}

// target is the value that is asked for in a rendered resource.
type target struct {
	resource int
	r        *resource.Resource
	// steps lead to the value in the resource, inside to it in the document that the value there holds; node is the
	// innermost value itself, nil where it is missing.
	steps  []step
	inside []step
	node   *yaml.Node
	// field is the path as it was asked for.
	field string
}

// resolve finds the way that a field path describes, as far as it is there: what is missing has to be keys of mappings,
// or the index behind the last element of a list.
func resolve(index int, r *resource.Resource, field string) (*target, string) {
	t := &target{resource: index, r: r, field: field}
	segments := fieldpath.Parse(field).Segments
	if field == "" || len(segments) == 0 {
		return nil, "the address names a whole resource; write RESOURCE:FIELDPATH"
	}
	n, steps, rest, reason := walk(r.Node, segments)
	if reason != "" {
		return nil, reason
	}
	t.steps = steps
	if len(rest) == 0 {
		t.node = n
		return t, ""
	}
	documents := documents([]byte(n.Value))
	if len(documents) != 1 || documents[0].root == nil {
		return nil, fmt.Sprintf("the text that holds %q is not a document", rest[0].Text)
	}
	n, t.inside, rest, reason = walk(documents[0].root, rest)
	if reason == "" && len(rest) > 0 {
		reason = "documents that are nested twice are not changed"
	}
	t.node = n
	return t, reason
}

// walk follows segments until there is nothing left to follow them in: a scalar, with the rest of the segments. Of what
// is missing it makes steps; the node is nil then.
func walk(n *yaml.Node, segments []fieldpath.Segment) (at *yaml.Node, steps []step, rest []fieldpath.Segment, reason string) {
	for i, s := range segments {
		if n != nil && n.Kind == yaml.ScalarNode && !isNull(n) {
			return n, steps, segments[i:], ""
		}
		next, child, reason := take(n, s)
		if reason != "" {
			return nil, nil, nil, reason
		}
		steps, n = append(steps, next), child
	}
	return n, steps, nil, ""
}

func take(n *yaml.Node, s fieldpath.Segment) (next step, child *yaml.Node, reason string) {
	if n != nil && n.Kind == yaml.SequenceNode {
		i := len(n.Content)
		switch s.Kind {
		case fieldpath.Index:
			i = s.Index
		case fieldpath.Last:
		case fieldpath.Element:
			for j, element := range n.Content {
				_, value := syntax.Field(element, s.Name)
				if s.Name == "" {
					value = element
				}
				if value != nil && value.Kind == yaml.ScalarNode && value.Value == s.Value {
					i = j
					break
				}
			}
			if i == len(n.Content) {
				return step{}, nil, fmt.Sprintf("no element of the list has %s=%s", s.Name, s.Value)
			}
		default:
			return step{}, nil, fmt.Sprintf("%q is not an element of the list; write its index or [name=value]", s.Text)
		}
		switch {
		case i < 0 || i > len(n.Content):
			return step{}, nil, fmt.Sprintf("the list has %d elements", len(n.Content))
		case i == len(n.Content):
			return step{isIndex: true, index: i}, nil, ""
		}
		return step{isIndex: true, index: i, element: n.Content[i]}, n.Content[i], ""
	}
	if s.Kind != fieldpath.Key && (n == nil || s.Kind != fieldpath.Index) {
		return step{}, nil, fmt.Sprintf("there is no list for %q", s.Text)
	}
	if n != nil && n.Kind == yaml.MappingNode {
		_, child = syntax.Field(n, s.Text)
	}
	return step{key: s.Text}, child, ""
}

// put returns a copy of a tree in which the value at the end of the steps is another one, or gone where value is nil.
func put(n *yaml.Node, steps []step, value *yaml.Node) *yaml.Node {
	if len(steps) == 0 {
		return value
	}
	s := steps[0]
	to := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	if !isNull(n) {
		*to = *n
		to.Content = append([]*yaml.Node(nil), n.Content...)
	}
	if s.isIndex {
		if s.index == len(to.Content) {
			to.Content = append(to.Content, put(nil, steps[1:], value))
		} else if child := put(to.Content[s.index], steps[1:], value); child != nil {
			to.Content[s.index] = child
		} else {
			to.Content = append(to.Content[:s.index], to.Content[s.index+1:]...)
		}
		return to
	}
	i := fieldIndex(to, s.key)
	var child *yaml.Node
	if i >= 0 {
		child = to.Content[i]
	}
	child = put(child, steps[1:], value)
	switch {
	case child == nil && i >= 0:
		to.Content = append(to.Content[:i-1], to.Content[i+1:]...)
	case child == nil:
	case i >= 0:
		to.Content[i] = child
	default:
		to.Content = append(to.Content, word(s.key), child)
	}
	return to
}

// nested makes the value that has another one at the end of the steps, all of them keys; false for an index.
func nested(steps []step, value *yaml.Node) (*yaml.Node, bool) {
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].isIndex {
			if steps[i].index != 0 {
				return nil, false
			}
			value = list(value)
			continue
		}
		value = mapping(steps[i].key, value)
	}
	return value, true
}
