package render

import (
	"errors"
	"slices"

	yaml "go.yaml.in/yaml/v3"
)

// maxDepth is how deep collections may nest: the limit of yaml.v2's and
// yaml.v3's parsers.
const maxDepth = 10000

// maxAliasNodes bounds how many nodes one resource may print through aliases.
const maxAliasNodes = 1 << 20

// errRoundTrip says that the document has to go through yaml.v3 (roundtrip.go)
// before its content is known.
var errRoundTrip = errors.New("render: round trip needed")

// A walker prints documents one after the other.
type walker struct {
	emitter
	// entries is a stack of the mappings being printed: each mapping's entries
	// lie behind those of its parent.
	entries []entry
	// decoded says that the nodes come from roundTrip: every string is what it
	// says, every other scalar is its final text.
	decoded bool
	// aliasNodes counts the nodes met inside aliases, aliasDepth the aliases
	// being followed.
	aliasNodes, aliasDepth int
	// lastSize is the length in bytes of the last chunk of documents.
	lastSize int
	// marks are where keys and items begin, kept where marking is true.
	marking bool
	marks   []mark
}

// An entry is a mapping's key with its value.
type entry struct {
	key     string
	traits  traits
	keyNode *yaml.Node
	value   *yaml.Node
}

func (w *walker) document(dst []byte, n *yaml.Node) ([]byte, error) {
	out, _, err := w.printDocument(dst, n)
	return out, err
}

// printDocument also returns what was printed: the document itself, or what a
// round trip made of it.
func (w *walker) printDocument(dst []byte, n *yaml.Node) (out []byte, printed *yaml.Node, err error) {
	out, err = w.print(dst, n, false)
	if err != errRoundTrip {
		return out, n, err
	}
	decoded, err := roundTrip(n)
	if err != nil {
		return dst, nil, err
	}
	if out, err = w.print(dst, decoded, true); err != nil {
		return dst, nil, blame(n, err)
	}
	return out, decoded, nil
}

func (w *walker) print(dst []byte, n *yaml.Node, decoded bool) ([]byte, error) {
	w.emitter = emitter{out: dst, whitespace: true, indention: true}
	w.entries, w.marks = w.entries[:0], w.marks[:0]
	w.decoded = decoded
	w.aliasNodes, w.aliasDepth = 0, 0
	if n != nil && n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		if !commentsSafe(n) {
			return dst, errRoundTrip
		}
		n = n.Content[0]
	}
	if err := w.root(n); err != nil {
		return dst, err
	}
	w.indent(0)
	out := w.out
	w.out = nil
	return out, nil
}

func (w *walker) root(n *yaml.Node) error {
	if !w.decoded && (n == nil || n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode) {
		return errRoundTrip
	}
	return w.node(n, place{indent: -1})
}

// A place is where a node stands.
type place struct {
	// indent is the column of the surrounding block, -1 at the top.
	indent int
	// depth is the number of collections around the node.
	depth int
	// inMapping says that the node is a mapping's value.
	inMapping bool
	// flow says that the node stands in a flow collection of the input.
	flow bool
}

// deeper returns the column of a block at the place.
func (p place) deeper() int {
	if p.indent < 0 {
		return 0
	}
	return p.indent + 2
}

// inside returns the place of what a block at the column contains.
func (p place) inside(n *yaml.Node, indent int) place {
	return place{indent: indent, depth: p.depth + 1, flow: p.flow || n.Style&yaml.FlowStyle != 0}
}

func (w *walker) node(n *yaml.Node, at place) error {
	if n == nil {
		return errRoundTrip
	}
	if w.aliasDepth > 0 {
		if w.aliasNodes++; w.aliasNodes > maxAliasNodes {
			return refuse(n, TooDeep, "document contains excessive aliasing")
		}
	}
	switch n.Kind {
	case yaml.ScalarNode:
		v, err := w.scalar(n, at.flow, false)
		if err != nil {
			return err
		}
		w.value(v, at.indent)
		return nil
	case yaml.MappingNode:
		return w.mapping(n, at)
	case yaml.SequenceNode:
		return w.sequence(n, at)
	case yaml.AliasNode:
		return w.alias(n, at)
	}
	return errRoundTrip
}

func (w *walker) alias(n *yaml.Node, at place) error {
	if n.Alias == nil {
		return refuse(n, Unreadable, "unknown anchor '%s' referenced", n.Value)
	}
	if at.depth++; at.depth > maxDepth {
		return refuse(n, TooDeep, "anchor '%s' value contains itself", n.Value)
	}
	w.aliasDepth++
	err := w.node(n.Alias, at)
	w.aliasDepth--
	return err
}

func (w *walker) sequence(n *yaml.Node, at place) error {
	if !w.knownCollection(n, "!!seq", longPrefix+"seq", at) {
		return errRoundTrip
	}
	if at.depth >= maxDepth {
		return refuse(n, TooDeep, "exceeded max depth of %d", maxDepth)
	}
	if len(n.Content) == 0 {
		w.word("[]")
		return nil
	}
	indent := at.deeper()
	if at.inMapping && !w.indention {
		// A list below its key stands in the key's column.
		indent = at.indent
	}
	inside := at.inside(n, indent)
	for _, item := range n.Content {
		w.indent(indent)
		w.indicator('-')
		if w.marking {
			w.marks = append(w.marks, mark{offset: len(w.out), value: item})
		}
		if err := w.node(item, inside); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) mapping(n *yaml.Node, at place) error {
	if !w.knownCollection(n, "!!map", longPrefix+"map", at) {
		return errRoundTrip
	}
	if at.depth >= maxDepth {
		return refuse(n, TooDeep, "exceeded max depth of %d", maxDepth)
	}
	if len(n.Content) < 2 {
		w.word("{}")
		return nil
	}
	indent := at.deeper()
	inside := at.inside(n, indent)
	start := len(w.entries)
	if err := w.push(n, inside.flow); err != nil {
		return err
	}
	inside.inMapping = true
	// The stack may move while values are printed, so it is indexed anew.
	for i, end := start, len(w.entries); i < end; i++ {
		e := &w.entries[i]
		w.indent(indent)
		if w.marking {
			w.marks = append(w.marks, mark{len(w.out), e.keyNode, e.value})
		}
		w.key(e, indent)
		if err := w.node(e.value, inside); err != nil {
			return err
		}
	}
	w.entries = w.entries[:start]
	return nil
}

// push puts a mapping's entries on the stack, in the order in which yaml.v2
// prints them.
func (w *walker) push(n *yaml.Node, flow bool) error {
	start := len(w.entries)
	w.entries = slices.Grow(w.entries, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, content := n.Content[i], n.Content[i+1]
		if key == nil || content == nil || key.Kind != yaml.ScalarNode {
			return errRoundTrip
		}
		v, err := w.scalar(key, flow, true)
		if err != nil {
			return err
		}
		if err := checkKey(key, v); err != nil {
			return err
		}
		if !w.decoded && !keyCommentsSafe(key, content) {
			return errRoundTrip
		}
		w.entries = append(w.entries, entry{v.text, v.traits, key, content})
	}
	return sortEntries(w.entries[start:])
}

// checkKey refuses the keys that are longer in JSON than yaml.v2's parser
// looks ahead for their colon.
func checkKey(n *yaml.Node, v value) error {
	if v.traits&nextLine != 0 {
		return refuseCharacter(n)
	}
	if len(v.text) > maxKeyLength/6 && jsonLength(v.text) > maxKeyLength {
		return refuse(n, KeyTooLong, "key is longer than %d characters", maxKeyLength)
	}
	return nil
}

// knownCollection tells whether yaml.v3 writes and reads the collection as
// what it is.
func (w *walker) knownCollection(n *yaml.Node, tag, longTag string, at place) bool {
	if w.decoded {
		return true
	}
	if n.Tag != "" && (n.Style&yaml.TaggedStyle != 0 || n.Tag != tag && n.Tag != longTag) {
		return false
	}
	return collectionCommentsSafe(n, at)
}
