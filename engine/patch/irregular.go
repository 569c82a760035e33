package patch

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// mergeIrregular merges lists in which some element lacks a key that others
// have, which the API server refuses, or lacks a second key such as a port's
// protocol. What kyaml does with these (Walker.setAssociativeSequenceElements)
// follows no rule but its code, so this follows it step by step. It is
// quadratic in the number of elements.
func (m *merger) mergeIrregular(dest, patch *yaml.Node, keys []string, t kubernetes.Type) ([]*yaml.Node, *Refusal) {
	ids := distinctValues(dest, patch, keys)
	if len(keys) > 1 {
		completeValues(ids)
	}
	used := usedKeys(ids)
	keys = pick(keys, used)
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, values := range ids {
		values = pick(values, used)
		element, refusal := m.mergeMatching(dest, patch, keys, values, t)
		if refusal == nil && isEmpty(element) {
			refusal = m.setElement(dest, nil, keys, values)
		} else if refusal == nil {
			m.setKeys(element, keys, values)
			refusal = m.setElement(list, element, keys, values)
		}
		if refusal != nil {
			return nil, refusal
		}
	}
	if refusal := m.appendElements(list, dest.Content, keys); refusal != nil {
		return nil, refusal
	}
	return list.Content, nil
}

// distinctValues returns the values of the keys of all elements, those of the
// patch first, "" where an element has none.
func distinctValues(dest, patch *yaml.Node, keys []string) [][]string {
	var ids [][]string
	seen := map[string]bool{}
	for _, list := range [...]*yaml.Node{patch, dest} {
		if list == nil {
			continue
		}
		for _, element := range list.Content {
			values := make([]string, len(keys))
			for i, key := range keys {
				values[i] = looseKeyValue(element, key)
			}
			if id := joinID(values); !seen[id] {
				seen[id] = true
				ids = append(ids, values)
			}
		}
	}
	return ids
}

// looseKeyValue is keyValue, except that it sees the text of a null scalar
// among scalars as kyaml does.
func looseKeyValue(element *yaml.Node, key string) string {
	if key == "" {
		return element.Value
	}
	return keyValue(element, key)
}

// completeValues makes two identities one where they agree in a value and
// differ only in what one of them lacks: a port with a protocol and the same
// port without one.
func completeValues(ids [][]string) {
	for i := range ids {
		values := ids[i]
		for j := range ids {
			if both := unify(values, ids[j]); both != nil {
				ids[i], ids[j] = both, both
			}
		}
	}
}

func unify(a, b []string) []string {
	agree := false
	both := make([]string, len(a))
	for i := range a {
		switch {
		case a[i] == b[i]:
			agree = true
			both[i] = a[i]
		case a[i] == "":
			both[i] = b[i]
		case b[i] == "":
			both[i] = a[i]
		default:
			return nil
		}
	}
	if !agree {
		return nil
	}
	return both
}

// usedKeys returns the indexes of the keys that any identity has a value for;
// all of them when there is none.
func usedKeys(ids [][]string) []int {
	var used, all []int
	for i := range ids[0] {
		all = append(all, i)
		if slices.ContainsFunc(ids, func(values []string) bool { return values[i] != "" }) {
			used = append(used, i)
		}
	}
	if len(used) == 0 {
		return all
	}
	return used
}

func pick(words []string, indexes []int) []string {
	picked := make([]string, len(indexes))
	for i, index := range indexes {
		picked[i] = words[index]
	}
	return picked
}

// mergeMatching merges the first elements of both lists that have the values
// that are not "".
func (m *merger) mergeMatching(dest, patch *yaml.Node, keys, values []string, t kubernetes.Type) (*yaml.Node, *Refusal) {
	present := usedKeys([][]string{values})
	keys, values = pick(keys, present), pick(values, present)
	inDest, inPatch := matchElement(dest, keys, values), matchElement(patch, keys, values)
	m.pushElement(inDest, inPatch, keys)
	result, refusal := m.walk(inDest, inPatch, t)
	m.path = m.path[:len(m.path)-1]
	return result.node, refusal
}

// matchElement returns the first element with these values (kyaml's
// ElementMatcher).
func matchElement(list *yaml.Node, keys, values []string) *yaml.Node {
	if list == nil {
		return nil
	}
	for _, element := range list.Content {
		if keys[0] == "" && element.Value == values[0] {
			return element
		}
		if keys[0] != "" && !isNull(element) && hasValues(element, keys, values) {
			return element
		}
	}
	return nil
}

func hasValues(element *yaml.Node, keys, values []string) bool {
	for i, key := range keys {
		if _, value := syntax.Field(element, key); value == nil || value.Value != values[i] {
			return false
		}
	}
	return true
}

func isEmpty(n *yaml.Node) bool {
	return isNull(n) || n.Kind == yaml.MappingNode && len(n.Content) == 0
}

// setKeys gives a merged element the keys that merging took from it.
func (m *merger) setKeys(element *yaml.Node, keys, values []string) {
	for i, key := range keys {
		switch {
		case values[i] == "":
		case key == "":
			m.untag(element)
		case element.Kind == yaml.MappingNode:
			if _, value := syntax.Field(element, key); value == nil {
				m.save(element)
				added := &yaml.Node{Kind: yaml.ScalarNode, Value: values[i]}
				m.quote(added)
				syntax.CopyPlace(added, element)
				element.Content = slices.Concat(element.Content, []*yaml.Node{addedKey(&yaml.Node{Value: key}, merged{}), added})
			}
		}
	}
}

// setElement replaces the elements of a list that have these values, or adds
// the element when there are none; a nil element removes them. In passing it
// drops elements that are null or empty. It is kyaml's ElementSetter, with all
// its ways: the value "" matches any value, and without values every mapping
// goes.
func (m *merger) setElement(list, element *yaml.Node, keys, values []string) *Refusal {
	var content []*yaml.Node
	found := false
	mappingsOnly := keys[0] != "" && len(values) > 0 && values[0] != ""
	for _, candidate := range list.Content {
		if isEmpty(candidate) {
			continue
		}
		if candidate.Kind != yaml.MappingNode && mappingsOnly {
			content = append(content, candidate)
			continue
		}
		matches, refusal := m.elementMatches(candidate, keys, values)
		switch {
		case refusal != nil:
			return refusal
		case !matches && len(values) > 0:
			content = append(content, candidate)
		case matches:
			found = true
			if element != nil {
				content = append(content, element)
			}
		}
	}
	if !found && !isNull(element) {
		content = append(content, element)
	}
	m.save(list)
	list.Content = content
	return nil
}

func (m *merger) elementMatches(element *yaml.Node, keys, values []string) (bool, *Refusal) {
	matches := false
	for i, key := range keys {
		if i >= len(values) {
			// kyaml goes by the key before, which is false for the first.
			break
		}
		wanted := yaml.MappingNode
		if key == "" {
			wanted = yaml.ScalarNode
		}
		if element.Kind != wanted {
			return false, m.refuse(Refusal{Reason: KindMismatch, Dest: element})
		}
		if key == "" {
			matches = element.Value == values[i]
		} else {
			_, value := syntax.Field(element, key)
			matches = value != nil && (values[i] == "" || value.Value == values[i])
		}
		if !matches {
			return false, nil
		}
	}
	return matches, nil
}

// appendElements puts the elements of dest into the merged list (kyaml's
// appendListNode).
func (m *merger) appendElements(list *yaml.Node, elements []*yaml.Node, keys []string) *Refusal {
	for _, element := range elements {
		values, refusal := m.valuesForAppend(list, element, keys)
		if refusal == nil && keys[0] != "" && len(keys) > 1 {
			refusal = m.setElement(list, nil, keys, values)
		}
		if refusal == nil {
			refusal = m.setElement(list, element, keys, values)
		}
		if refusal != nil {
			return refusal
		}
	}
	return nil
}

// valuesForAppend returns the values of the keys that the element has. For
// each key that it lacks, the element is added to the list.
func (m *merger) valuesForAppend(list, element *yaml.Node, keys []string) ([]string, *Refusal) {
	if keys[0] == "" {
		return []string{element.Value}, nil
	}
	if !isNull(element) && element.Kind != yaml.MappingNode {
		return nil, m.refuse(Refusal{Reason: KindMismatch, Dest: element})
	}
	var values []string
	for _, key := range keys {
		var value *yaml.Node
		if !isNull(element) {
			_, value = syntax.Field(element, key)
		}
		if value == nil {
			list.Content = append(list.Content, element)
			continue
		}
		values = append(values, value.Value)
	}
	return values, nil
}
