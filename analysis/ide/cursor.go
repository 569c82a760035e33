package ide

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"

	yaml "go.yaml.in/yaml/v3"
)

// cursor is a position in a file, with the way to it through the file's tree.
type cursor struct {
	session *builder.Session
	table   *syntax.Table
	file    string
	id      text.FileID
	offset  int
	syntax.Location
}

// newCursor parses the file and finds the offset in it. The nodes are not those
// of a build, but stand at the same places (see sameNode). False means that there
// is no such file.
func newCursor(session *builder.Session, file string, offset int) (cursor, bool) {
	f, err := session.Files().ReadFile(file)
	if err != nil {
		return cursor{}, false
	}
	c := cursor{session: session, table: session.Table(), file: file, id: session.FileID(f), offset: offset}
	if d := session.Tree(f).DocumentAt(offset); d != nil {
		c.Location = d.Path(c.table, offset)
	}
	return c, true
}

// in returns the cursor from a node on the way to it: the node is that of a build.
// False means that the way does not lead through the node.
func (c cursor) in(n *yaml.Node) (cursor, bool) {
	if n == nil {
		return c, false
	}
	for i, step := range c.Steps {
		if sameNode(step.Value, n) {
			c.Steps = c.Steps[i+1:]
			return c, true
		}
	}
	return c, false
}

// at tells whether the cursor is in a node of a build.
func (c cursor) at(n *yaml.Node) bool {
	_, ok := c.in(n)
	return ok
}

// keys returns the keys on the way; an item of a list is "-".
func (c cursor) keys() []string {
	keys := make([]string, len(c.Steps))
	for i, step := range c.Steps {
		keys[i] = "-"
		if step.Key != nil {
			keys[i] = step.Key.Value
		}
	}
	return keys
}

// scalar returns the single value that the cursor is in, nil where it is in none.
func (c cursor) scalar() *yaml.Node {
	if c.Node == nil || c.OnKey || c.Blank || c.Node.Kind != yaml.ScalarNode {
		return nil
	}
	return c.Node
}

// span returns where the node under the cursor stands.
func (c cursor) span() text.Span {
	_, span := syntax.NodeSpan(c.table, c.Node)
	return span
}

// field returns what is known of the field that the cursor is on the key of, or in
// the value of.
func (c cursor) field(root *kustomization.Struct) *kustomization.Field {
	var found *kustomization.Field
	for _, step := range c.Steps {
		if step.Key == nil {
			continue
		}
		if root == nil {
			return nil
		}
		found, _ = root.Field(step.Key.Value)
		if found == nil {
			return nil
		}
		root = found.Struct
	}
	return found
}

// sameNode tells whether two nodes were read from the same place: two builds, and
// two parses, of one text give different nodes.
func sameNode(a, b *yaml.Node) bool {
	return a != nil && b != nil && a.Kind == b.Kind && a.Line == b.Line && a.Column == b.Column && a.Line != 0
}

// isKustomization tells whether the file is read as a kustomization.
func (c cursor) isKustomization() bool { return workspace.IsKustomization(c.file) }

func (c cursor) dir() string { return filepath.Dir(c.file) }
