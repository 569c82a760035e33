package explain

import (
	"bytes"
	"context"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Line is a line of what a build prints and where it was written: the value on it,
// or the key where the line has no value. Separators of documents were written
// nowhere.
type Line struct {
	Text    string // without line break
	Written Place
	// Resource is the index in builder.Result.Resources; -1 for a separator.
	Resource int
	// Value is the value that begins or goes on here; nil for a separator. Key is the key
	// in front of it, and Part which line of the value's text this is, -1 for all of it.
	Value, Key *yaml.Node
	Part       int
	// Variables are those that a deployment substituted in the line.
	Variables []Variable
}

// FieldOf returns the field path of a value in a resource; false where it is not in
// there, or the resource itself.
func FieldOf(root, value *yaml.Node) (field string, ok bool) {
	path, ok := pathTo(root, value, nil)
	return strings.Join(path, "."), ok && len(path) > 0
}

func pathTo(n, value *yaml.Node, path []string) ([]string, bool) {
	if n == value {
		return path, true
	}
	for i, child := range n.Content {
		if step, ok := stepTo(n, i); ok {
			if found, ok := pathTo(child, value, append(path, step)); ok {
				return found, true
			}
		}
	}
	return nil, false
}

// Blame returns the lines that builder.Result.YAML prints. The error is ctx's, or the
// *render.Refusal of the first resource that cannot be printed, with its index.
func Blame(ctx context.Context, table *syntax.Table, result *builder.Result) ([]Line, error) {
	var lines []Line
	for i, r := range result.Resources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i > 0 {
			lines = append(lines, Line{Text: "---", Resource: -1})
		}
		of, err := BlameResource(table, result, r, nil)
		if err != nil {
			if refusal, ok := err.(*render.Refusal); ok {
				refusal.Index = i
			}
			return nil, err
		}
		for _, line := range of {
			line.Resource = i
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// BlameResource returns the lines that render.Document prints for a resource of a
// build. The error is a *render.Refusal. original returns what a scalar was before
// something that keeps its lines changed it; nil is for nothing.
func BlameResource(table *syntax.Table, result *builder.Result, r *resource.Resource, original func(*yaml.Node) *yaml.Node) ([]Line, error) {
	printed, shown, err := render.Lines(nil, r.Node)
	if err != nil {
		return nil, err
	}
	lines := make([]Line, 0, len(shown))
	parts := partPlaces{table: table, result: result, of: r}
	for content := range bytes.Lines(printed) {
		s := shown[len(lines)]
		line := Line{Text: string(bytes.TrimSuffix(content, []byte("\n"))), Value: s.Value, Key: s.Key, Part: s.Part}
		switch {
		case s.Part >= 0 && s.Value != nil && original != nil:
			line.Written = parts.place(original(s.Value), s.Part)
		case s.Part >= 0 && s.Value != nil:
			line.Written = parts.place(s.Value, s.Part)
		case s.Value != nil && s.Value.Kind == yaml.ScalarNode || s.Key == nil:
			line.Written = PlaceOf(table, s.Value)
		default:
			line.Written = PlaceOf(table, keyPlace(s))
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// keyPlace returns the node that shows where a key with a list or mapping was
// written.
func keyPlace(s render.Line) *yaml.Node {
	if s.Key.Line == 0 {
		return s.Value
	}
	return s.Key
}

// partPlaces finds the places of the lines of one scalar after the other.
type partPlaces struct {
	table  *syntax.Table
	result *builder.Result
	of     *resource.Resource

	node    *yaml.Node
	lines   *text.Lines
	in      func(offset int) Place
	changed []Place
}

func (p *partPlaces) place(n *yaml.Node, part int) Place {
	if p.node != n {
		p.node, p.lines, p.in = n, text.NewLines([]byte(n.Value)), inValue(p.table, n, n.Value)
		p.changed = newInside(p.table, p.result, p.of, n).lines()
	}
	if part < len(p.changed) {
		return p.changed[part]
	}
	return p.in(p.lines.LineSpan(part).Start)
}
