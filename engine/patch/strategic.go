// Package patch applies the two kinds of patches of kustomize, strategic merge
// and JSON 6902, to YAML nodes. Results are those of kustomize v5.8.2, value
// for value and style for style; beyond that each value of the result carries
// the place where it was written: an equal value keeps its place, a new or
// changed one has the place of the patch's value.
//
// It does not select the resources that a patch is for, nor what a patch may
// change of a resource's identity: that is package build.
package patch

import (
	"slices"
	"sort"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

const nullTag = "!!null"

// StrategicMerge merges patch into dest, in place, and returns the result,
// which is dest itself, another node (`$patch: replace` at the root), or nil
// when the patch deletes the whole resource. The patch is not changed, and the
// result shares no node with it. After a refusal dest is as it was before.
//
// It does what kyaml's merge2.Merge does with ListIncreaseDirection prepend,
// as called by kustomize's api/filters/patchstrategicmerge. In particular the
// parts of dest that the patch says nothing of are normalised too: strings
// that YAML 1.1 reads as something else get quotes, `key:` without a value is
// dropped, and lists that merge by key lose duplicates. Two things differ: comments
// are not merged, and a schema in a comment (`# {"$ref": …}`) is not heeded.
// Both nodes must be free of aliases, and must not be document nodes. The
// changes are what it did to dest.
func StrategicMerge(dest, patch *yaml.Node, schema kubernetes.Schema) (*yaml.Node, Changes, *Refusal) {
	m := merger{schema: schema}
	merged, refusal := m.walk(dest, syntax.Copy(patch), kubernetes.Type{})
	if refusal != nil {
		m.undo()
		return dest, Changes{}, refusal
	}
	return merged.node, Changes{dest, merged.node, m.saved}, nil
}

// Changes are what a merge did.
type Changes struct {
	dest, merged *yaml.Node
	saved        []savedNode
}

// Any tells whether the result is, by now, another value than what was merged into.
func (c Changes) Any() bool {
	if c.merged == nil {
		return true
	}
	first := make(map[*yaml.Node]*yaml.Node, len(c.saved))
	for i := len(c.saved) - 1; i >= 0; i-- {
		first[c.saved[i].node] = &c.saved[i].before
	}
	return !sameAsBefore(c.merged, c.dest, first)
}

// sameAsBefore tells whether a node is the same, but for style and place, as another was before the merge.
func sameAsBefore(n, was *yaml.Node, first map[*yaml.Node]*yaml.Node) bool {
	if before := first[was]; before != nil {
		was = before
	}
	if n.Kind != was.Kind || n.Value != was.Value || n.ShortTag() != was.ShortTag() || len(n.Content) != len(was.Content) {
		return false
	}
	for i := range n.Content {
		if !sameAsBefore(n.Content[i], was.Content[i], first) {
			return false
		}
	}
	return true
}

// merger holds the state of one merge.
type merger struct {
	schema kubernetes.Schema
	path   []string // of the value at hand, for a refusal
	saved  []savedNode
}

// savedNode is a node of dest as it was before it was changed. Content slices
// are never written in place, so a shallow copy is enough.
type savedNode struct {
	node   *yaml.Node
	before yaml.Node
}

func (m *merger) save(n *yaml.Node) {
	m.saved = append(m.saved, savedNode{node: n, before: *n})
}

func (m *merger) undo() {
	for i := len(m.saved) - 1; i >= 0; i-- {
		*m.saved[i].node = m.saved[i].before
	}
}

// merged is the outcome of merging two values. A nil node means that the
// value goes.
type merged struct {
	node *yaml.Node
	// keep is set for a null of dest that stays.
	keep bool
	// made is set for a node that neither side wrote: kyaml then forgets the
	// style of its key.
	made bool
}

// walk merges two values; each may be nil, where that side says nothing. It is
// kyaml's Walker.Walk.
func (m *merger) walk(dest, patch *yaml.Node, t kubernetes.Type) (merged, *Refusal) {
	t = m.typeOf(dest, patch, t)
	kind := kindOf(dest)
	if kind == 0 {
		kind = kindOf(patch)
	} else if other := kindOf(patch); other != 0 && other != kind {
		return merged{}, m.refuse(Refusal{Reason: KindMismatch, Dest: dest, Patch: patch})
	}
	switch kind {
	case yaml.MappingNode, 0:
		return m.mergeMap(dest, patch, t)
	case yaml.SequenceNode:
		return m.mergeList(dest, patch, t)
	case yaml.ScalarNode:
		if patch != nil {
			return merged{node: patch}, nil
		}
		return merged{node: dest}, nil
	}
	return merged{}, nil
}

// kindOf returns the kind of a node, and 0 for null or none.
func kindOf(n *yaml.Node) yaml.Kind {
	if isNull(n) {
		return 0
	}
	return n.Kind
}

func isNull(n *yaml.Node) bool {
	return n == nil || n.Tag == nullTag
}

// typeOf returns the type of the value: a value of unknown type that says
// apiVersion and kind is taken for such a resource, at any depth.
func (m *merger) typeOf(dest, patch *yaml.Node, t kubernetes.Type) kubernetes.Type {
	if t.Known() {
		return t
	}
	for _, n := range [...]*yaml.Node{dest, patch} {
		if kindOf(n) != yaml.MappingNode {
			continue
		}
		apiVersion, kind := metaField(n, "apiVersion"), metaField(n, "kind")
		if apiVersion == "" || kind == "" {
			continue
		}
		if t := m.schema.ForResource(apiVersion, kind); t.Known() {
			return t
		}
	}
	return kubernetes.Type{}
}

func metaField(n *yaml.Node, name string) string {
	_, value := syntax.Field(n, name)
	if isNull(value) {
		return ""
	}
	return value.Value
}

// mergeMap is kyaml's Walker.walkMap with Merger.VisitMap.
func (m *merger) mergeMap(dest, patch *yaml.Node, t kubernetes.Type) (merged, *Refusal) {
	m.takeStyle(dest, patch)
	switch {
	case isNull(dest) && patch == nil:
		return m.persistNull(dest), nil
	case isNull(dest):
		// An added value is merged with itself, which processes the
		// directives in it and drops its nulls.
		if isNull(patch) || takeMapDirective(patch) == "delete" {
			return merged{}, nil
		}
		dest = patch
	case patch != nil && isNull(patch):
		return merged{}, nil
	case patch != nil:
		switch directive := takeMapDirective(patch); directive {
		case "delete":
			return merged{}, nil
		case "replace":
			dest = patch
		case "", "merge":
		default:
			return merged{}, m.refuse(Refusal{Reason: UnknownDirective, Dest: dest, Patch: patch})
		}
	}
	if refusal := m.mergeFields(dest, patch, t); refusal != nil {
		return merged{}, refusal
	}
	return merged{node: dest}, nil
}

// takeStyle makes an empty mapping or list of dest look as that of the patch,
// whose members it will get.
func (m *merger) takeStyle(dest, patch *yaml.Node) {
	if dest == nil || patch == nil || dest.Kind == yaml.ScalarNode || len(dest.Content) > 0 {
		return
	}
	m.save(dest)
	dest.Style = patch.Style
}

// persistNull keeps a null of dest that was written as one (`null`, `~`); a
// key without any value is dropped.
func (m *merger) persistNull(dest *yaml.Node) merged {
	if dest == nil || dest.Value == "" {
		return merged{}
	}
	m.save(dest)
	*dest = yaml.Node{Kind: yaml.ScalarNode, Tag: nullTag, Value: dest.Value, Line: dest.Line, Column: dest.Column}
	return merged{node: dest, keep: true, made: true}
}

// mergeFields merges the fields of two mappings, which may be one and the
// same. Fields that only the patch has are added in the order of their names.
func (m *merger) mergeFields(dest, patch *yaml.Node, t kubernetes.Type) *Refusal {
	inPatch, inDest := indexFields(patch), indexFields(dest)
	content, changed, refusal := m.presentFields(dest, patch, inDest, inPatch, t)
	if refusal != nil {
		return refusal
	}
	if patch != nil && patch != dest {
		added, refusal := m.addedFields(inDest, inPatch, patch, t)
		if refusal != nil {
			return refusal
		}
		if len(added) > 0 {
			content, changed = slices.Concat(content, added), true
		}
	}
	if changed {
		m.save(dest)
		dest.Content = content
	}
	return nil
}

// presentFields merges the fields that dest has, and returns the keys and
// values of those that stay, and whether that leaves any out. kyaml sees the
// first of several equal keys only.
func (m *merger) presentFields(
	dest, patch *yaml.Node, inDest, inPatch fieldIndex, t kubernetes.Type,
) (stay []*yaml.Node, changed bool, refusal *Refusal) {
	content := dest.Content
	var kept []*yaml.Node // nil until a field goes
	for i := 0; i+1 < len(content); i += 2 {
		key, value := content[i], content[i+1]
		stays := true
		if inDest.find(key.Value) == i {
			var addition *yaml.Node
			if j := inPatch.find(key.Value); j >= 0 {
				addition = patch.Content[j+1]
			}
			if stays, refusal = m.mergeField(key, value, addition, t); refusal != nil {
				return nil, false, refusal
			}
		}
		switch {
		case !stays && kept == nil:
			kept = append(make([]*yaml.Node, 0, len(content)), content[:i]...)
		case stays && kept != nil:
			kept = append(kept, key, value)
		}
	}
	if kept == nil {
		return content, false, nil
	}
	return kept, true, nil
}

// mergeField merges a field that dest has, and tells whether it stays.
func (m *merger) mergeField(key, value, addition *yaml.Node, t kubernetes.Type) (stays bool, refusal *Refusal) {
	result, refusal := m.walkField(key, value, addition, t)
	if refusal != nil || result.node == nil || isNull(result.node) && !result.keep {
		return false, refusal
	}
	m.quote(result.node)
	if result.node != value {
		if !result.made {
			keepPlaces(value, result.node)
		}
		m.save(value)
		style := value.Style
		*value = *result.node
		value.Style = style
	}
	return true, nil
}

// addedFields returns the keys and values of the fields that only the patch has.
func (m *merger) addedFields(inDest, inPatch fieldIndex, patch *yaml.Node, t kubernetes.Type) ([]*yaml.Node, *Refusal) {
	var added []*yaml.Node
	for i := 0; i+1 < len(patch.Content); i += 2 {
		if name := patch.Content[i].Value; inDest.find(name) < 0 && inPatch.find(name) == i {
			added = append(added, patch.Content[i], patch.Content[i+1])
		}
	}
	sort.Sort(byKey(added))
	kept := added[:0]
	for i := 0; i < len(added); i += 2 {
		key, value := added[i], added[i+1]
		result, refusal := m.walkField(key, nil, value, t)
		if refusal != nil {
			return nil, refusal
		}
		if isNull(result.node) {
			continue
		}
		m.quote(result.node)
		kept = append(kept, addedKey(key, result), result.node)
	}
	return kept, nil
}

// addedKey is the key node that kyaml makes for a field: untagged, and plain
// where the value was made.
func addedKey(key *yaml.Node, value merged) *yaml.Node {
	made := &yaml.Node{Kind: yaml.ScalarNode, Value: key.Value, Style: key.Style}
	if value.made {
		made.Style = 0
	}
	syntax.CopyPlace(made, key)
	return made
}

func (m *merger) walkField(key, dest, patch *yaml.Node, t kubernetes.Type) (merged, *Refusal) {
	m.path = append(m.path, key.Value)
	result, refusal := m.walk(dest, patch, t.Field(key.Value))
	if refusal == nil && key.Value == "" {
		// kyaml takes a setter without a name for one that sets a scalar.
		refusal = m.refuse(Refusal{Reason: EmptyKey, Dest: dest, Patch: patch})
	}
	m.path = m.path[:len(m.path)-1]
	return result, refusal
}

// quote puts quotes around a plain string that YAML 1.1 would not read as one,
// as kyaml's FieldSetter does.
func (m *merger) quote(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && (n.Tag == "!!str" || n.Tag == "") && scalar.NonStringInYAML11(n.Value) {
		m.save(n)
		n.Style = yaml.DoubleQuotedStyle
	}
}
