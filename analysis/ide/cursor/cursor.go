// Package cursor says what is at a position of a file: the way to it through the file's
// tree, the entry of a kustomization that it is in, and what that entry does in a build.
package cursor

import (
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Cursor is a position in a file, with the way to it through the file's tree.
type Cursor struct {
	Session *builder.Session
	Table   *syntax.Table
	File    string
	ID      text.FileID
	Offset  int
	syntax.Location
}

// New parses the file and finds the offset in it. The nodes are not those
// of a build, but stand at the same places (see workspace.SameNode). False means that there
// is no such file.
func New(session *builder.Session, file string, offset int) (Cursor, bool) {
	f, err := session.Files().ReadFile(file)
	if err != nil {
		return Cursor{}, false
	}
	c := Cursor{Session: session, Table: session.Table(), File: file, ID: session.FileID(f), Offset: offset}
	if d := session.Tree(f).DocumentAt(offset); d != nil {
		c.Location = d.Path(c.Table, offset)
	}
	return c, true
}

// In returns the cursor from a node on the way to it: the node is that of a build.
// False means that the way does not lead through the node.
func (c Cursor) In(n *yaml.Node) (Cursor, bool) {
	if n == nil {
		return c, false
	}
	for i, step := range c.Steps {
		if workspace.SameNode(step.Value, n) {
			c.Steps = c.Steps[i+1:]
			return c, true
		}
	}
	return c, false
}

// At tells whether the cursor is in a node of a build.
func (c Cursor) At(n *yaml.Node) bool {
	_, ok := c.In(n)
	return ok
}

// keys returns the keys on the way; an item of a list is "-".
func (c Cursor) keys() []string {
	keys := make([]string, len(c.Steps))
	for i, step := range c.Steps {
		keys[i] = "-"
		if step.Key != nil {
			keys[i] = step.Key.Value
		}
	}
	return keys
}

// Scalar returns the single value that the cursor is in, nil where it is in none.
func (c Cursor) Scalar() *yaml.Node {
	if c.Node == nil || c.OnKey || c.Blank || c.Node.Kind != yaml.ScalarNode {
		return nil
	}
	return c.Node
}

// Span returns where the node under the cursor stands.
func (c Cursor) Span() text.Span {
	_, span := syntax.NodeSpan(c.Table, c.Node)
	return span
}

// Place returns where the cursor is among some fields; false where nothing is known of what is there.
func (c Cursor) Place(root *kustomization.Struct) (Place, bool) {
	return Place{Object: root}.EnterAll(c.Steps)
}

// Field returns what is known of the field that the cursor is on the key of, or in
// the value of.
func (c Cursor) Field(root *kustomization.Struct) *kustomization.Field {
	at, known := c.Place(root)
	if !known {
		return nil
	}
	return at.Field
}

// IsKustomization tells whether the file is read as a kustomization.
func (c Cursor) IsKustomization() bool { return workspace.IsKustomization(c.File) }

func (c Cursor) Dir() string { return filepath.Dir(c.File) }

// Embedded returns where the cursor is in a document that is the text of a scalar: a
// mapping.
func (c Cursor) Embedded() (syntax.Location, bool) {
	root, inner, ok := c.InEmbedded()
	return inner, ok && root.Kind == yaml.MappingNode
}

// InEmbedded returns the root of the document that is the text of a scalar, and where
// the cursor is in it.
func (c Cursor) InEmbedded() (root *yaml.Node, inner syntax.Location, ok bool) {
	n := c.Scalar()
	if n == nil || !strings.Contains(n.Value, "\n") && !strings.HasPrefix(n.Value, "{") && !strings.HasPrefix(n.Value, "[") {
		return nil, inner, false
	}
	id := c.Session.AddEmbedded(n, n.Value)
	offset, ok := c.Table.EmbeddedOffset(id, c.Offset)
	if !ok {
		return nil, inner, false
	}
	d := syntax.Parse(c.Table, id).DocumentAt(offset)
	if d == nil || d.Root == nil {
		return nil, inner, false
	}
	return d.Root, d.Path(c.Table, offset), true
}

// InnerSpan is span, in a document that is the text of a scalar that of the node there.
func (c Cursor) InnerSpan() text.Span {
	if _, inner, ok := c.InEmbedded(); ok && inner.Node != nil && !inner.Blank {
		if file, _, span := c.Table.Resolve(syntax.NodeSpan(c.Table, inner.Node)); file == c.ID {
			return span
		}
	}
	return c.Span()
}

// KubernetesPath returns the kind of the innermost object around the cursor that
// names one, and the path from there.
func (c Cursor) KubernetesPath() (apiVersion, kind string, path []string) {
	from := -1
	for i, step := range c.Steps {
		_, version := syntax.Field(step.Parent, "apiVersion")
		_, name := syntax.Field(step.Parent, "kind")
		if version != nil && name != nil && (i == 0 || c.Steps[i-1].Key == nil) {
			apiVersion, kind, from = version.Value, name.Value, i
		}
	}
	if from < 0 {
		return "", "", nil
	}
	for _, step := range c.Steps[from:] {
		if step.Key == nil {
			path = append(path, "0") // an entry of a list is as any other
			continue
		}
		path = append(path, step.Key.Value)
	}
	return apiVersion, kind, path
}

// IsOnLine tells whether the cursor is on the line on which a span of its file begins.
func (c Cursor) IsOnLine(span text.Span) bool {
	source := c.Table.Source(c.ID)
	if source == nil {
		return false
	}
	at, _ := source.Lines().OffsetToLineColumn(c.Offset)
	line, _ := source.Lines().OffsetToLineColumn(span.Start)
	return at == line
}

// IsAboutFile tells whether the cursor is where a question can only be about the
// file: at its head, in a comment, or in what is no YAML.
func (c Cursor) IsAboutFile() bool {
	switch {
	case c.Node == nil || c.Blank:
		return true
	case len(c.Steps) == 0:
		return c.Node.Kind == yaml.ScalarNode
	case len(c.Steps) > 1:
		return false
	}
	key := c.Steps[0].Key
	return key != nil && (key.Value == "kind" || key.Value == "apiVersion" || c.IsKustomization() && c.OnKey)
}
