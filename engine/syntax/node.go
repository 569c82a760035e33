// Package syntax reads YAML and JSON, and knows where everything was written.
//
// ReadDocuments reads resources exactly as kustomize does; Parse reads what
// somebody is typing, and repairs it. Both give nodes of yaml.v3 that carry
// their place: the text, line and column. A Table names the texts, among them
// documents that are embedded in strings, and maps any span to the file on
// disk. NodeSpan and its kin give the bytes of a node, Document.Path the node
// at a byte.
//
// The package does no IO and knows nothing of kustomization files or of the
// meaning of resources, beyond what makes kustomize drop or refuse a document.
// What a user did wrong is a Problem; there are no errors.
package syntax

import (
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// A node's Line holds the line that yaml.v3 gave (1-based, within the text
// that was parsed) in its low 32 bits, and the text.FileID of that text in its
// high bits. Nothing in yaml.v3's encoder reads it, so every copy of a node
// keeps its place at no cost.
const fileShift = 32

// Place returns where a node was written: the text, the 1-based line and the
// 1-based column in runes. The file is zero for a node that was made, not read.
func Place(n *yaml.Node) (file text.FileID, line, column int) {
	return text.FileID(uint64(n.Line) >> fileShift), int(uint32(n.Line)), n.Column
}

// SetPlace makes a node carry the place (see Place).
func SetPlace(n *yaml.Node, file text.FileID, line, column int) {
	if Provenance {
		n.Line = int(uint64(file)<<fileShift) | line
		n.Column = column
	}
}

// CopyPlace makes a node carry the place of another: used where a value is
// written because of what stands at that other place.
func CopyPlace(to, from *yaml.Node) {
	if Provenance {
		to.Line, to.Column = from.Line, from.Column
	}
}

// Field returns the key and value node of the first entry of a mapping whose
// key has that text; nil, nil where there is none or n is no mapping.
func Field(n *yaml.Node, name string) (key, value *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// FieldText returns the text of a field; it is empty where somebody is typing it.
func FieldText(mapping *yaml.Node, name string) string {
	_, value := Field(mapping, name)
	if value == nil || value.Kind != yaml.ScalarNode || value.Value == StandIn {
		return ""
	}
	return value.Value
}

// Copy returns a deep copy. Places are kept. Alias nodes point into the copy's
// own anchors only where the anchor was copied too; resolve aliases before. Neighbouring
// nodes of a copy share memory.
func Copy(n *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	var c copier
	c.count(n)
	return c.copy(n)
}

// Weigh returns how many nodes a tree has, and how many bytes of text its scalars.
func Weigh(n *yaml.Node) (nodes, bytes int) {
	if n == nil {
		return 0, 0
	}
	nodes, bytes = 1, len(n.Value)
	for _, child := range n.Content {
		more, text := Weigh(child)
		nodes, bytes = nodes+more, bytes+text
	}
	return nodes, bytes
}

// CopyTangled is Copy of a tree in which a node may stand at several places: it
// does so in the copy, too.
func CopyTangled(n *yaml.Node) *yaml.Node {
	copies := map[*yaml.Node]*yaml.Node{}
	var copyOf func(*yaml.Node) *yaml.Node
	copyOf = func(n *yaml.Node) *yaml.Node {
		if n == nil {
			return nil
		}
		if known, ok := copies[n]; ok {
			return known
		}
		to := *n
		copies[n] = &to
		if n.Content != nil {
			to.Content = make([]*yaml.Node, len(n.Content))
			for i, child := range n.Content {
				to.Content[i] = copyOf(child)
			}
		}
		return &to
	}
	return copyOf(n)
}

// nodesInOne is how many nodes share one piece of memory at most: where most of a copy is
// given up for what it was copied from (Reuse), the rest must not keep all of it.
const nodesInOne = 32

// copier hands out the nodes and lists of children that it counted before.
type copier struct {
	nodeCount, childCount int // that are still to be handed out
	nodes                 []yaml.Node
	children              []*yaml.Node
}

func (c *copier) count(n *yaml.Node) {
	c.nodeCount++
	c.childCount += len(n.Content)
	for _, child := range n.Content {
		if child != nil {
			c.count(child)
		}
	}
}

func (c *copier) copy(n *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	if len(c.nodes) == 0 {
		c.nodes = make([]yaml.Node, min(c.nodeCount, nodesInOne))
	}
	to := &c.nodes[0]
	c.nodes, c.nodeCount = c.nodes[1:], c.nodeCount-1
	*to = *n
	if size := len(n.Content); n.Content != nil {
		// No capacity is left over, so that appending cannot reach the next list.
		if len(c.children) < size {
			c.children = make([]*yaml.Node, max(size, min(c.childCount, 2*nodesInOne)))
		}
		to.Content = c.children[:size:size]
		c.children, c.childCount = c.children[size:], c.childCount-size
		for i, child := range n.Content {
			to.Content[i] = c.copy(child)
		}
	}
	return to
}
