package patch

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// mergeList merges two lists: element by element where the schema gives merge
// keys, else the patch's list replaces that of dest. It is kyaml's
// Merger.VisitList with Walker.walkAssociativeSequence.
func (m *merger) mergeList(dest, patch *yaml.Node, t kubernetes.Type) (merged, *Refusal) {
	m.takeStyle(dest, patch)
	keys, associative := t.MergeKeys()
	if !associative {
		if patch != nil {
			return merged{node: patch}, nil
		}
		return merged{node: dest}, nil
	}
	switch {
	case isNull(dest):
		dest = patch
	case patch != nil && isNull(patch):
		return merged{}, nil
	case patch != nil:
		directive, refusal := m.takeListDirective(patch)
		if refusal != nil || directive == "delete" {
			return merged{}, refusal
		}
		if directive == "replace" {
			dest = patch
		}
	}
	return m.mergeElements(dest, patch, keys, t.Elements())
}

// takeListDirective removes the elements that hold a `$patch` directive for
// the list, and returns the directive; "" means none.
func (m *merger) takeListDirective(patch *yaml.Node) (string, *Refusal) {
	for _, element := range patch.Content {
		_, value := syntax.Field(element, directiveKey)
		if value == nil || isNull(element) {
			continue
		}
		if len(element.Content) > 2 {
			return "", nil // it is a directive for that element
		}
		if !knownDirective(value.Value) {
			return "", m.refuse(Refusal{Reason: UnknownDirective, Patch: patch})
		}
		return value.Value, m.setElement(patch, nil, []string{directiveKey}, []string{value.Value})
	}
	return "", nil
}

// mergeElements merges two lists, which may be one and the same, by keys. No
// keys means that the elements are scalars.
func (m *merger) mergeElements(dest, patch *yaml.Node, keys []string, t kubernetes.Type) (merged, *Refusal) {
	if len(dest.Content) == 0 && (patch == nil || len(patch.Content) == 0) {
		return merged{node: dest}, nil
	}
	if len(keys) == 0 {
		keys = []string{""}
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	syntax.CopyPlace(list, dest)
	inDest, inPatch, used, regular := elementIDs(dest, patch, keys)
	var refusal *Refusal
	if regular {
		list.Content, refusal = m.mergeRegular(dest, patch, inDest, inPatch, used, t)
	} else {
		list.Content, refusal = m.mergeIrregular(dest, patch, keys, t)
	}
	return merged{node: list, made: true}, refusal
}

// elementIDs identifies the elements of both lists by the values of the keys
// that any element has. The lists are regular when every element has all of
// those keys; kyaml's algorithm then comes down to mergeRegular.
func elementIDs(dest, patch *yaml.Node, keys []string) (inDest, inPatch, used []string, regular bool) {
	lists := [][]*yaml.Node{dest.Content}
	if patch != nil {
		lists = append(lists, patch.Content)
	}
	for _, key := range keys {
		if anyHasKey(lists, key) {
			used = append(used, key)
		}
	}
	if len(used) == 0 {
		return nil, nil, nil, false
	}
	ids := make([][]string, 2)
	for i, list := range lists {
		ids[i] = make([]string, len(list))
		for j, element := range list {
			if ids[i][j] = elementID(element, used); ids[i][j] == "" {
				return nil, nil, nil, false
			}
		}
	}
	return ids[0], ids[1], used, true
}

func anyHasKey(lists [][]*yaml.Node, key string) bool {
	for _, list := range lists {
		for _, element := range list {
			if keyValue(element, key) != "" {
				return true
			}
		}
	}
	return false
}

// elementID joins the values of the keys; "" when one of them is missing.
func elementID(element *yaml.Node, keys []string) string {
	if len(keys) == 1 {
		return keyValue(element, keys[0])
	}
	values := make([]string, len(keys))
	for i, key := range keys {
		if values[i] = keyValue(element, key); values[i] == "" {
			return ""
		}
	}
	return joinID(values)
}

// joinID makes one text of several such that no two lists give the same.
func joinID(values []string) string {
	var id strings.Builder
	for _, value := range values {
		id.WriteString(strconv.Itoa(len(value)))
		id.WriteByte(':')
		id.WriteString(value)
	}
	return id.String()
}

// keyValue returns the text of a key's value, or of the element itself for
// the key "" of scalars; "" where it is missing, null or no scalar.
func keyValue(element *yaml.Node, key string) string {
	if isNull(element) {
		return ""
	}
	if key == "" {
		if element.Kind != yaml.ScalarNode {
			return ""
		}
		return element.Value
	}
	_, value := syntax.Field(element, key)
	if isNull(value) || value.Kind != yaml.ScalarNode {
		return ""
	}
	return value.Value
}

// mergeRegular merges lists in which every element has its keys.
func (m *merger) mergeRegular(dest, patch *yaml.Node, inDest, inPatch, keys []string, t kubernetes.Type) ([]*yaml.Node, *Refusal) {
	firstInDest, firstInPatch := firstIndexes(inDest), firstIndexes(inPatch)
	results := make(map[string]*yaml.Node, len(inDest)+len(inPatch))
	var order []string
	for _, id := range slices.Concat(inPatch, inDest) {
		if _, seen := results[id]; seen {
			continue
		}
		element, refusal := m.mergeElement(at(dest, firstInDest, id), at(patch, firstInPatch, id), keys, t)
		if refusal != nil {
			return nil, refusal
		}
		results[id] = element
		order = append(order, id)
	}
	return arrange(dest, inDest, order, results, len(keys) > 1), nil
}

// arrange puts the elements of a merged list in kyaml's order. With one key
// the elements of the patch come first, each where the patch has it; with
// several keys, only those that dest lacks. Of several elements of dest with
// equal keys the last is kept, though the first was merged; and an element
// that dest has is dest's node, also where the patch was to replace it.
func arrange(dest *yaml.Node, inDest, order []string, results map[string]*yaml.Node, severalKeys bool) []*yaml.Node {
	last := make(map[string]int, len(inDest))
	for i, id := range inDest {
		last[id] = i
	}
	var list []*yaml.Node
	for _, id := range order {
		i, ofDest := last[id]
		switch {
		case results[id] == nil || severalKeys && ofDest:
		case ofDest:
			list = append(list, dest.Content[i])
		default:
			list = append(list, results[id])
		}
	}
	if !severalKeys {
		return list
	}
	for i, id := range inDest {
		if last[id] == i && results[id] != nil {
			list = append(list, dest.Content[i])
		}
	}
	return list
}

// mergeElement merges one element; nil means that it goes.
func (m *merger) mergeElement(dest, patch *yaml.Node, keys []string, t kubernetes.Type) (*yaml.Node, *Refusal) {
	m.pushElement(dest, patch, keys)
	element, refusal := m.walk(dest, patch, t)
	m.path = m.path[:len(m.path)-1]
	if refusal != nil || isNull(element.node) {
		return nil, refusal
	}
	if keys[0] == "" {
		m.untag(element.node)
	}
	return element.node, nil
}

func (m *merger) pushElement(dest, patch *yaml.Node, keys []string) {
	element := dest
	if element == nil {
		element = patch
	}
	var name strings.Builder
	for i, key := range keys {
		if i > 0 {
			name.WriteByte(',')
		}
		name.WriteString(key + "=" + keyValue(element, key))
	}
	m.path = append(m.path, "["+name.String()+"]")
}

// untag does to a scalar element what kyaml does when it sets its value anew.
func (m *merger) untag(n *yaml.Node) {
	m.save(n)
	n.Tag = ""
}

func firstIndexes(ids []string) map[string]int {
	first := make(map[string]int, len(ids))
	for i := len(ids) - 1; i >= 0; i-- {
		first[ids[i]] = i
	}
	return first
}

func at(list *yaml.Node, indexes map[string]int, id string) *yaml.Node {
	if i, ok := indexes[id]; ok {
		return list.Content[i]
	}
	return nil
}
