package ide

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

// embedded returns where the cursor is in a document that is the text of a scalar: a
// mapping.
func (c cursor) embedded() (syntax.Location, bool) {
	root, inner, ok := c.inEmbedded()
	return inner, ok && root.Kind == yaml.MappingNode
}

// inEmbedded returns the root of the document that is the text of a scalar, and where
// the cursor is in it.
func (c cursor) inEmbedded() (root *yaml.Node, inner syntax.Location, ok bool) {
	n := c.scalar()
	if n == nil || !strings.Contains(n.Value, "\n") && !strings.HasPrefix(n.Value, "{") && !strings.HasPrefix(n.Value, "[") {
		return nil, inner, false
	}
	id := c.session.AddEmbedded(n, n.Value)
	offset, ok := c.table.EmbeddedOffset(id, c.offset)
	if !ok {
		return nil, inner, false
	}
	d := syntax.Parse(c.table, id).DocumentAt(offset)
	if d == nil || d.Root == nil {
		return nil, inner, false
	}
	return d.Root, d.Path(c.table, offset), true
}

// innerSpan is span, in a document that is the text of a scalar that of the node there.
func (c cursor) innerSpan() text.Span {
	if _, inner, ok := c.inEmbedded(); ok && inner.Node != nil && !inner.Blank {
		if file, _, span := c.table.Resolve(syntax.NodeSpan(c.table, inner.Node)); file == c.id {
			return span
		}
	}
	return c.span()
}

// kubernetesPath returns the kind of the innermost object around the cursor that
// names one, and the path from there.
func (c cursor) kubernetesPath() (apiVersion, kind string, path []string) {
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

// isOnLine tells whether the cursor is on the line on which a span of its file begins.
func (c cursor) isOnLine(span text.Span) bool {
	source := c.table.Source(c.id)
	if source == nil {
		return false
	}
	at, _ := source.Lines().OffsetToLineColumn(c.offset)
	line, _ := source.Lines().OffsetToLineColumn(span.Start)
	return at == line
}

// isAboutFile tells whether the cursor is where a question can only be about the
// file: at its head, in a comment, or in what is no YAML.
func (c cursor) isAboutFile() bool {
	switch {
	case c.Node == nil || c.Blank:
		return true
	case len(c.Steps) == 0:
		return c.Node.Kind == yaml.ScalarNode
	case len(c.Steps) > 1:
		return false
	}
	key := c.Steps[0].Key
	return key != nil && (key.Value == "kind" || key.Value == "apiVersion" || c.isKustomization() && c.OnKey)
}
