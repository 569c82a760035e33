package syntax

import (
	"slices"
	"strconv"
	"sync/atomic"

	yaml "go.yaml.in/yaml/v3"
)

// expansionShare is what part of the values that a text may have its aliases and merge
// keys may add.
const expansionShare = 4

// allTexts is how many times as many those of all texts of a table may add: what was
// expanded stays in memory.
const allTexts = 6

// Expanded returns how many nodes aliases and merge keys have added to the texts so far.
func (t *Table) Expanded() int64 { return t.expanded.Load() }

// newDeanchorer returns one for the next text.
func (t *Table) newDeanchorer(report func(kind ProblemKind, n *yaml.Node, detail string)) *deanchorer {
	limit := t.valueLimit() / expansionShare
	left := max(0, min(limit, allTexts*limit-t.Expanded()))
	return &deanchorer{report: report, limit: int(left), detail: strconv.FormatInt(limit, 10) + " values", added: &t.expanded}
}

// deanchorer resolves aliases and merge keys of one text with the outcome of
// kyaml's RNode.DeAnchor (yaml/rnode.go), down to its order of keys and to
// which of several keys wins, but in time linear in what it makes.
//
// kyaml copies the content of every map it passes, so an alias points to the
// node as it was parsed, not to the one in the tree: whether that was already
// resolved when a merge key takes from it depends on the aliases before. The
// same holds here: a node is private if no alias can point into it, and the
// content of a map that is not private is copied once.
type deanchorer struct {
	report   func(ProblemKind, *yaml.Node, string)
	limit    int                 // nodes that may still be made
	detail   string              // of a problem with the limit
	added    *atomic.Int64       // counts nodes that were made
	active   map[*yaml.Node]bool // being resolved, and an alias may point to it
	resolved map[*yaml.Node]bool
}

// resolve returns the tree without aliases and merge keys, or nil if it could
// not: then the reason has been reported.
func (d *deanchorer) resolve(root *yaml.Node, found oddities) *yaml.Node {
	if !found.aliases {
		return root
	}
	if d.active == nil {
		d.active, d.resolved = map[*yaml.Node]bool{}, map[*yaml.Node]bool{}
	}
	d.limit += countNodes(root) // its own nodes are copied once
	return d.node(root, false)
}

func (d *deanchorer) node(n *yaml.Node, private bool) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return d.alias(n)
	}
	if !private {
		d.active[n] = true
		defer delete(d.active, n)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return d.mapping(n, private)
	case yaml.SequenceNode:
		return d.children(n, private)
	}
	return n
}

// alias returns a copy of what the alias stands for. Where that is being
// resolved already, kyaml would recurse without end.
func (d *deanchorer) alias(n *yaml.Node) *yaml.Node {
	if d.active[n.Alias] {
		d.report(AliasCycle, n, n.Value)
		return nil
	}
	target := d.node(n.Alias, false)
	if target == nil {
		return nil
	}
	return d.copy(target, n)
}

func (d *deanchorer) mapping(n *yaml.Node, private bool) *yaml.Node {
	if d.resolved[n] {
		return n
	}
	if !private && !d.copyContent(n) {
		return nil
	}
	if slices.ContainsFunc(n.Content, isOddKey) && !d.merge(n) {
		return nil
	}
	if !private {
		d.resolved[n] = true
	}
	return d.children(n, true)
}

func (d *deanchorer) children(n *yaml.Node, private bool) *yaml.Node {
	for i, child := range n.Content {
		if n.Content[i] = d.node(child, private); n.Content[i] == nil {
			n.Content[i] = child
			return nil
		}
	}
	return n
}

// copy makes a deep copy, or reports that the limit is reached.
func (d *deanchorer) copy(n, at *yaml.Node) *yaml.Node {
	size := countNodes(n)
	if d.limit -= size; d.limit < 0 {
		d.report(ExpansionLimit, at, d.detail)
		return nil
	}
	d.added.Add(int64(size))
	return Copy(n)
}

func (d *deanchorer) copyContent(n *yaml.Node) bool {
	copied := d.copy(n, n)
	if copied == nil {
		return false
	}
	n.Content = copied.Content
	return true
}

// merge is kyaml's removeMergeTags and mergeAll: what << names is added where
// the map itself has no such key. A quoted "<<" is taken out and merges
// nothing.
func (d *deanchorer) merge(n *yaml.Node) bool {
	sources, ok := d.mergeSources(n)
	if !ok {
		return false
	}
	n.Content = withoutMergeKey(n.Content)
	own := &yaml.Node{Kind: yaml.MappingNode, Content: slices.Clone(n.Content)}
	m := newMerger(n)
	for _, source := range sources {
		copied := d.copy(source, source)
		if copied == nil {
			return false
		}
		m.setAll(copied)
	}
	m.setAll(own)
	return true
}

// mergeSources returns the maps to merge, the one that wins last.
func (d *deanchorer) mergeSources(n *yaml.Node) ([]*yaml.Node, bool) {
	var value *yaml.Node
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Tag != mergeTag {
			continue
		}
		if value != nil {
			d.report(DuplicateMergeKey, n.Content[i], "")
			return nil, false
		}
		value = n.Content[i+1]
	}
	if value == nil {
		return nil, true
	}
	if value.Kind != yaml.SequenceNode {
		source := d.mergeSource(value)
		return []*yaml.Node{source}, source != nil
	}
	var sources []*yaml.Node
	for _, item := range slices.Backward(value.Content) {
		source := d.mergeSource(item)
		if source == nil {
			return nil, false
		}
		sources = append(sources, source)
	}
	return sources, true
}

func (d *deanchorer) mergeSource(value *yaml.Node) *yaml.Node {
	source := value
	if value.Kind == yaml.AliasNode {
		source = value.Alias
	}
	if source.Kind != yaml.MappingNode {
		d.report(InvalidMerge, value, "")
		return nil
	}
	return source
}

// withoutMergeKey takes out the first << with its value, whatever its tag.
func withoutMergeKey(content []*yaml.Node) []*yaml.Node {
	for i := 0; i < len(content); i += 2 {
		if content[i].Value == "<<" {
			return slices.Delete(slices.Clone(content), i, i+2)
		}
	}
	return content
}

// merger sets entries of a map by key, in constant time.
type merger struct {
	into  *yaml.Node
	index map[string]int // of the first entry with that key
}

func newMerger(into *yaml.Node) *merger {
	return &merger{into, firstEntries(into.Content)}
}

func firstEntries(content []*yaml.Node) map[string]int {
	index := make(map[string]int, len(content)/2)
	for i := 0; i < len(content); i += 2 {
		if _, found := index[content[i].Value]; !found {
			index[content[i].Value] = i
		}
	}
	return index
}

// setAll is a visit of all fields with kyaml's MapEntrySetter: the first entry
// of a key counts, once for each entry that has the key, and a key that is
// null is looked for under the empty name.
func (m *merger) setAll(from *yaml.Node) {
	first := firstEntries(from.Content)
	for i := 0; i < len(from.Content); i += 2 {
		at := first[from.Content[i].Value]
		m.set(from.Content[at], from.Content[at+1])
	}
}

func (m *merger) set(key, value *yaml.Node) {
	name := key.Value
	if key.Tag == nullTag {
		name = ""
	}
	if i, found := m.index[name]; found {
		m.into.Content[i], m.into.Content[i+1] = key, value
		if name != key.Value {
			delete(m.index, name)
			m.index[key.Value] = i
		}
		return
	}
	if _, found := m.index[key.Value]; !found {
		m.index[key.Value] = len(m.into.Content)
	} else {
		key, value = Copy(key), Copy(value)
	}
	m.into.Content = append(m.into.Content, key, value)
}

// isOddKey tells whether a key makes mergeAll do anything but copy: a merge
// key, quoted or not, and a null that is written out, which mergeAll does not
// find again and adds a second time.
func isOddKey(key *yaml.Node) bool {
	return key.Value == "<<" || key.Tag == mergeTag || key.Tag == nullTag && key.Value != ""
}

func countNodes(n *yaml.Node) int {
	count := 1
	for _, child := range n.Content {
		count += countNodes(child)
	}
	return count
}
