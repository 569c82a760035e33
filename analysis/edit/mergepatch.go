package edit

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/jsonpointer"
	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// MergePatch returns the strategic merge patch, as YAML, that makes one resource of
// another, if the elements of lists come out in that order, which a build shows: of
// lists that merge it has the elements that change, by their merge keys. What the
// JSON6902 patch sets and the resource has already is set all the same.
func MergePatch(before, after, operations *yaml.Node, apiVersion, kind, name string) (patch, reason string) {
	m := merger{}
	body := m.maps(before, after, saidBy(operations), kubernetes.NewSchema(nil, kubernetes.CustomOnly).ForResource(apiVersion, kind))
	switch {
	case m.reason != "":
		return "", m.reason
	case body == nil:
		return "", "the patch changes nothing"
	}
	for _, field := range []string{"kind", "apiVersion"} {
		if _, changed := syntax.Field(body, field); changed != nil {
			return "", "it changes " + field
		}
	}
	metadata := &yaml.Node{Kind: yaml.MappingNode}
	if i := slices.IndexFunc(body.Content, func(n *yaml.Node) bool { return n.Value == "metadata" }); i >= 0 && i%2 == 0 {
		metadata = body.Content[i+1]
		body.Content = slices.Delete(body.Content, i, i+2)
	}
	if _, changed := syntax.Field(metadata, "name"); changed != nil {
		return "", "it changes the name"
	}
	metadata.Content = append([]*yaml.Node{word("name"), word(name)}, metadata.Content...)
	all := mapping("apiVersion", word(apiVersion), "kind", word(kind), "metadata", metadata)
	all.Content = append(all.Content, body.Content...)
	return encoded(all)
}

// merger makes patches that, merged into before, give after.
type merger struct {
	reason string
}

// saidBy returns what operations set in mappings, as a tree.
func saidBy(operations *yaml.Node) *yaml.Node {
	tree := &yaml.Node{Kind: yaml.MappingNode}
	for _, operation := range operations.Content {
		_, path := syntax.Field(operation, "path")
		_, value := syntax.Field(operation, "value")
		if path == nil || value == nil || slices.Contains(identity, path.Value) {
			continue
		}
		at := tree
		keys := jsonpointer.Keys(path.Value)
		for i, key := range keys {
			_, next := syntax.Field(at, key)
			if next == nil || i == len(keys)-1 {
				if next = plainCopy(value); i < len(keys)-1 {
					next = &yaml.Node{Kind: yaml.MappingNode}
				}
				at.Content = append(at.Content, word(key), next)
			}
			if at = next; at.Kind != yaml.MappingNode {
				break
			}
		}
	}
	return tree
}

// maps returns what has to be merged, nil where nothing changes. said is what somebody
// wanted to be sure of there, nil for nothing.
func (m *merger) maps(before, after, said *yaml.Node, schema kubernetes.Type) *yaml.Node {
	patch := &yaml.Node{Kind: yaml.MappingNode}
	set := func(key string, value *yaml.Node) {
		patch.Content = append(patch.Content, word(key), value)
	}
	for i := 0; i+1 < len(before.Content); i += 2 {
		if _, kept := syntax.Field(after, before.Content[i].Value); kept == nil {
			set(before.Content[i].Value, null())
		}
	}
	for i := 0; i+1 < len(after.Content); i += 2 {
		key, value := after.Content[i].Value, after.Content[i+1]
		_, was := syntax.Field(before, key)
		_, also := syntax.Field(said, key)
		switch {
		case was == nil:
			set(key, m.added(value))
		case was.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
			if changed := m.maps(was, value, also, schema.Field(key)); changed != nil {
				set(key, changed)
			}
		case equal.Values(was, value):
			if also != nil && value.Kind == yaml.ScalarNode {
				set(key, m.added(value))
			}
		case was.Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode:
			set(key, m.lists(was, value, schema.Field(key)))
		default:
			set(key, m.added(value))
		}
	}
	if len(patch.Content) == 0 {
		return nil
	}
	return patch
}

// added is a value that was not there: a null in it would take it away again.
func (m *merger) added(value *yaml.Node) *yaml.Node {
	if isNull(value) {
		m.reason = "it sets a field to null, which a merge would remove"
	}
	return plainCopy(value)
}

func (m *merger) lists(before, after *yaml.Node, schema kubernetes.Type) *yaml.Node {
	keys, merges := schema.MergeKeys()
	patch := &yaml.Node{Kind: yaml.SequenceNode}
	if !merges || len(keys) == 0 {
		return plainCopy(after)
	}
	for _, old := range before.Content {
		if key, kept := keyed(old, keys, after); key != nil && kept == nil {
			gone := mapping("$patch", word("delete"))
			gone.Content = append(gone.Content, key.Content...)
			patch.Content = append(patch.Content, gone)
		}
	}
	for _, value := range after.Content {
		key, was := keyed(value, keys, before)
		switch {
		case key == nil:
			m.reason = "an element of a list has no merge key"
		case was == nil:
			patch.Content = append(patch.Content, m.added(value))
		case !equal.Values(was, value):
			changed := m.maps(was, value, nil, schema.Elements())
			if changed == nil {
				continue
			}
			key.Content = append(key.Content, changed.Content...)
			patch.Content = append(patch.Content, key)
		}
	}
	return patch
}

// keyed returns the merge key of an element, as a mapping, and the element of another
// list that has the same; nil for none.
func keyed(n *yaml.Node, keys []string, others *yaml.Node) (key, other *yaml.Node) {
	for _, name := range keys {
		_, value := syntax.Field(n, name)
		if value == nil {
			continue
		}
		if key == nil {
			key = &yaml.Node{Kind: yaml.MappingNode}
		}
		key.Content = append(key.Content, word(name), plainCopy(value))
	}
	if key == nil {
		return nil, nil
	}
	for _, o := range others.Content {
		if hasKey(o, key, keys) {
			return key, o
		}
	}
	return key, nil
}

func hasKey(n, key *yaml.Node, keys []string) bool {
	for _, name := range keys {
		_, a := syntax.Field(n, name)
		_, b := syntax.Field(key, name)
		if (a == nil) != (b == nil) || a != nil && !equal.Values(a, b) {
			return false
		}
	}
	return true
}

func null() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"} }
