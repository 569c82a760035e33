package kustomization

import (
	"slices"
	"strconv"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// value is a node as the JSON value that kustomize makes of it. Aliases and
// merge keys are resolved, and the members of a mapping are sorted by key,
// which is the order in which encoding/json sees them.
type value struct {
	kind Type
	// node holds the value; never an alias.
	node *yaml.Node
	// text is a string's text, a number as JSON spells it, or true or false.
	text string
	// number is the number where float is set; text is empty where it is not
	// finite.
	number          float64
	float, unsigned bool

	items   []value
	members []member
}

// member is an entry of a mapping.
type member struct {
	name     string
	key      *yaml.Node
	value    value
	identity identity
	// owner is the mapping that has the entry, which a merge key may have brought.
	owner *yaml.Node
}

// infinite tells whether a number is infinite or not a number.
func (v value) infinite() bool { return v.kind == TypeNumber && v.text == "" }

// coerced is the text that sigs.k8s.io/yaml makes of a number or a boolean
// where the Go type it decodes into is a string.
func (v value) coerced() string {
	if v.float {
		return strconv.FormatFloat(v.number, 'g', -1, 32)
	}
	return v.text
}

// converter makes values of nodes as yaml.v2 followed by sigs.k8s.io/yaml does.
// What they refuse becomes a problem and is left out.
type converter struct {
	*report
	// strict refuses a key that stands twice, as yaml.UnmarshalStrict does.
	strict bool
	// coerce says that the decoder may make text of a number that JSON cannot
	// hold.
	coerce bool
	// doubtful is set when there was something that JSON cannot hold.
	doubtful bool

	// open are the collections that are being read.
	open                                map[*yaml.Node]bool
	decodeCount, aliasCount, aliasDepth int
	depth                               int
	// exhausted is set once the document was found too expensive; nothing more
	// is read then.
	exhausted bool
}

// maxDepth is how deep encoding/json lets collections nest.
const maxDepth = 10000

// document reads the root; nil stands for an empty file.
func (c *converter) document(root *yaml.Node) (value, bool) {
	if root == nil {
		return value{kind: TypeNull}, true
	}
	v, ok := c.value(root)
	if ok && c.doubtful {
		return c.holdable(v)
	}
	return v, ok
}

func (c *converter) value(n *yaml.Node) (value, bool) {
	if !c.count(n) {
		return value{}, false
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.alias(n)
	case yaml.SequenceNode:
		return c.nested(n, c.sequence)
	case yaml.MappingNode:
		return c.nested(n, c.mapping)
	case yaml.ScalarNode:
		return c.scalar(n)
	}
	return value{kind: TypeNull, node: n}, true
}

// count bounds the work that aliases cause, with the very bounds of yaml.v2.
func (c *converter) count(n *yaml.Node) bool {
	if c.exhausted {
		return false
	}
	c.decodeCount++
	if c.aliasDepth > 0 {
		c.aliasCount++
	}
	if c.aliasCount > 100 && c.decodeCount > 1000 &&
		float64(c.aliasCount)/float64(c.decodeCount) > allowedAliasRatio(c.decodeCount) {
		c.exhausted = true
		c.add(Problem{Kind: ExcessiveAliasing, Node: n, Fatal: true})
		return false
	}
	return true
}

// allowedAliasRatio is the share of the decoding that aliases may cause: nearly
// all in a small document, a tenth in a large one.
func allowedAliasRatio(decodeCount int) float64 {
	const low, high = 400_000, 4_000_000
	switch {
	case decodeCount <= low:
		return 0.99
	case decodeCount >= high:
		return 0.10
	}
	return 0.99 - 0.89*(float64(decodeCount-low)/float64(high-low))
}

func (c *converter) alias(n *yaml.Node) (value, bool) {
	if !c.enterAlias(n) {
		return value{}, false
	}
	v, ok := c.value(n.Alias)
	c.aliasDepth--
	return v, ok
}

// enterAlias refuses an alias inside the collection that it stands for. yaml.v2
// notices on the second round only, to the same effect.
func (c *converter) enterAlias(n *yaml.Node) bool {
	if n.Alias == nil || c.open[n.Alias] {
		c.add(Problem{Kind: RecursiveAlias, Node: n, Fatal: true})
		return false
	}
	c.aliasDepth++
	return true
}

func (c *converter) nested(n *yaml.Node, read func(*yaml.Node) (value, bool)) (value, bool) {
	if c.depth >= maxDepth {
		c.exhausted = true
		c.add(Problem{Kind: TooDeep, Node: n, Fatal: true})
		return value{}, false
	}
	c.depth++
	c.open[n] = true
	v, ok := read(n)
	delete(c.open, n)
	c.depth--
	return v, ok
}

func (c *converter) scalar(n *yaml.Node) (value, bool) {
	v, ok := scalarValue(n)
	if !ok {
		c.add(Problem{Kind: BadTag, Node: n, Got: v.kind, Name: explicitTag(n), Fatal: true})
		return value{}, false
	}
	c.doubtful = c.doubtful || v.infinite()
	return v, true
}

func (c *converter) sequence(n *yaml.Node) (value, bool) {
	v := value{kind: TypeList, node: n, items: make([]value, 0, len(n.Content))}
	for i, child := range n.Content {
		c.enterIndex(i)
		if item, ok := c.value(child); ok {
			v.items = append(v.items, item)
		}
		c.leave()
	}
	return v, true
}

func (c *converter) mapping(n *yaml.Node) (value, bool) {
	m := members{list: make([]member, 0, len(n.Content)/2)}
	c.collect(n, &m)
	slices.SortStableFunc(m.list, func(a, b member) int { return strings.Compare(a.name, b.name) })
	return value{kind: TypeObject, node: n, members: m.list}, true
}

// members are the entries of one mapping while it is read.
type members struct {
	list []member
	// byIdentity is made once the list is long.
	byIdentity map[identity]int
}

// identity tells keys apart as yaml.v2 does, for which 1, 1.0 and "1" differ. Its
// kind is TypeNull for a key that JSON cannot hold.
type identity struct {
	kind Type
	text string
}

// find returns the index of the entry with that key, or -1.
func (m *members) find(key identity) int {
	if m.byIdentity == nil {
		return slices.IndexFunc(m.list, func(e member) bool { return e.identity == key })
	}
	if i, ok := m.byIdentity[key]; ok {
		return i
	}
	return -1
}

// set writes the entry at the index that find gave for its key.
func (m *members) set(i int, e member) {
	if i >= 0 {
		m.list[i] = e
		return
	}
	m.list = append(m.list, e)
	const long = 16
	if m.byIdentity == nil && len(m.list) > long {
		m.byIdentity = map[identity]int{}
		for i, e := range m.list {
			m.byIdentity[e.identity] = i
		}
	} else if m.byIdentity != nil {
		m.byIdentity[e.identity] = len(m.list) - 1
	}
}

// collect reads the entries of a mapping in their order. A merge key writes
// over what stands before it, as yaml.v2 has it and yaml.v3 has not.
func (c *converter) collect(n *yaml.Node, m *members) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, node := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			c.merge(key, node, m)
			continue
		}
		name, id, ok := c.key(key, node)
		if !ok {
			continue
		}
		c.enterKey(name)
		v, ok := c.value(node)
		at := m.find(id)
		if at >= 0 {
			c.duplicate(key, name, m.list[at], n)
		}
		c.leave()
		if ok {
			m.set(at, member{name: name, key: key, value: v, identity: id, owner: n})
		}
	}
}

// duplicate reports a key that stands twice in one mapping: the last one wins.
// Where duplicates are refused, a key that a merge brought counts as well.
func (c *converter) duplicate(key *yaml.Node, name string, earlier member, owner *yaml.Node) {
	switch {
	case earlier.owner == owner:
		c.add(Problem{Kind: DuplicateField, Node: key, Other: earlier.key, Name: name, Fatal: c.strict})
	case c.strict:
		c.add(Problem{Kind: DuplicateField, Node: key, Name: name, Fatal: true})
	}
}

func isMerge(key *yaml.Node) bool {
	if key.Kind != yaml.ScalarNode || key.Value != "<<" {
		return false
	}
	tag := explicitTag(key)
	return tag == tagMerge || tag == "" && key.Style&^yaml.TaggedStyle == 0
}

func (c *converter) merge(key, n *yaml.Node, m *members) {
	sources := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		sources = sources[:0]
		// Backwards, because what stands first in the list takes precedence.
		for i := len(n.Content) - 1; i >= 0; i-- {
			sources = append(sources, n.Content[i])
		}
	}
	for _, source := range sources {
		if resolveAlias(source).Kind != yaml.MappingNode {
			c.add(Problem{Kind: BadMerge, Node: key, Other: source, Fatal: true})
			return
		}
		c.mergeOne(source, m)
	}
}

func (c *converter) mergeOne(n *yaml.Node, m *members) {
	if !c.count(n) {
		return
	}
	if n.Kind != yaml.AliasNode {
		c.nested(n, func(n *yaml.Node) (value, bool) { c.collect(n, m); return value{}, true })
		return
	}
	if c.enterAlias(n) {
		c.mergeOne(n.Alias, m)
		c.aliasDepth--
	}
}

// resolveAlias returns the node an alias stands for, and any other node itself.
func resolveAlias(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// key reads a key: numbers and booleans become text. Collections are refused at
// once, null and the largest numbers once it is sure that the entry counts; they
// have no name.
func (c *converter) key(key, owner *yaml.Node) (name string, id identity, ok bool) {
	if kind := resolveAlias(key).Kind; kind == yaml.MappingNode || kind == yaml.SequenceNode {
		c.add(Problem{Kind: UnsupportedKey, Node: key, Other: owner, Fatal: true})
		return "", identity{}, false
	}
	doubtful := c.doubtful
	v, ok := c.value(key)
	c.doubtful = doubtful
	switch {
	case !ok:
		return "", identity{}, false
	case v.kind == TypeText || v.kind == TypeBool:
		return v.text, identity{v.kind, v.text}, true
	case v.kind == TypeNumber && !v.unsigned:
		return keyOfNumber(v), identityOfNumber(v), true
	}
	c.doubtful = true
	return "", identity{TypeNull, v.text}, true
}

// holdable takes out of a value what JSON cannot hold. This comes after the
// whole document was read, because yaml.v2 has dropped by then what a later key
// wrote over.
func (c *converter) holdable(v value) (value, bool) {
	if v.infinite() && !c.coerce {
		c.add(Problem{Kind: UnsupportedNumber, Node: v.node, Fatal: true})
		return v, false
	}
	items := v.items[:0]
	for i, item := range v.items {
		c.enterIndex(i)
		if item, ok := c.holdable(item); ok {
			items = append(items, item)
		}
		c.leave()
	}
	members := v.members[:0]
	for _, m := range v.members {
		c.enterKey(m.name)
		if value, ok := c.holdable(m.value); ok && c.holdableKey(m) {
			m.value = value
			members = append(members, m)
		}
		c.leave()
	}
	v.items, v.members = items, members
	return v, true
}

func (c *converter) holdableKey(m member) bool {
	if m.identity.kind != TypeNull {
		return true
	}
	c.add(Problem{Kind: UnsupportedKey, Node: m.key, Other: m.value.node, Fatal: true})
	return false
}

func identityOfNumber(v value) identity {
	if !v.float {
		return identity{TypeInteger, v.text}
	}
	return identity{TypeNumber, strconv.FormatFloat(v.number, 'g', -1, 64)}
}

func keyOfNumber(v value) string {
	if !v.float {
		return v.text
	}
	switch s := v.coerced(); s {
	case "+Inf":
		return ".inf"
	case "-Inf":
		return "-.inf"
	case "NaN":
		return ".nan"
	default:
		return s
	}
}
