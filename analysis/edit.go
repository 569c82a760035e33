package analysis

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// edit makes the edit of a fix. It is left out where the scalar is not written in
// a file, or where its text cannot be changed without looking at what surrounds
// it.
func (c *checker) edit(p builder.Problem, f builder.Fix) (FileEdit, bool) {
	if f.File != 0 {
		return editBytes(c.session.Table(), f.File, f.Span, f.New)
	}
	n := f.Node
	if n == nil {
		n = p.Node
		if n != nil && n.Kind == yaml.ScalarNode && p.Part.End > p.Part.Start && p.Part.End <= len(n.Value) {
			f.New = n.Value[:p.Part.Start] + f.New + n.Value[p.Part.End:]
		}
	}
	table := c.session.Table()
	if f.Length > 0 {
		return c.editStart(n, f)
	}
	if n == nil || n.Kind != yaml.ScalarNode {
		return FileEdit{}, false
	}
	id, span := syntax.ValueSpan(table, n)
	if id == 0 || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return FileEdit{}, false
	}
	if span.Start == span.End {
		return FileEdit{}, false
	}
	return editBytes(table, id, span, scalarText(n, f.New))
}

// EditScalar makes the edit that gives a scalar another text for some bytes of its
// own, in the quotes that it is written in, or in quotes where it needs them then.
// False means that it cannot be edited: it is not in a file, or not as it was read.
func EditScalar(table *syntax.Table, n *yaml.Node, part text.Span, with string) (FileEdit, bool) {
	written, ok := table.WrittenText(n)
	if !ok || written != n.Value || n.Kind != yaml.ScalarNode {
		return FileEdit{}, false
	}
	id, span := syntax.ValueSpan(table, n)
	source := table.Source(id)
	if source == nil || span.Len() == 0 {
		return FileEdit{}, false
	}
	switch as := *n; source.Text()[span.Start] {
	case '|', '>':
		return editBytes(table, table.AddEmbedded(n, n.Value), part, with)
	case '"':
		as.Style = yaml.DoubleQuotedStyle
		n = &as
	case '\'':
		as.Style = yaml.SingleQuotedStyle
		n = &as
	default:
		as.Style = 0
		n = &as
	}
	return editBytes(table, id, span, scalarText(n, n.Value[:part.Start]+with+n.Value[part.End:]))
}

// editBytes makes the edit of some bytes of a text that may be embedded in others.
func editBytes(table *syntax.Table, id text.FileID, span text.Span, written string) (FileEdit, bool) {
	inserts := span.Start == span.End
	for source := table.Source(id); source != nil && source.Host() != nil; {
		var ok bool
		if written, ok = writtenIn(source.Host(), written); !ok {
			return FileEdit{}, false
		}
		file, _, _ := syntax.Place(source.Host())
		source = table.Source(file)
	}
	file, path, span := table.Resolve(id, span)
	if file == 0 || span.Start == span.End && !inserts {
		return FileEdit{}, false
	}
	return FileEdit{Place{path, span}, written}, true
}

// editStart makes the edit of the first bytes of a node that stands in a file
// itself.
func (c *checker) editStart(n *yaml.Node, f builder.Fix) (FileEdit, bool) {
	id, span := syntax.NodeSpan(c.session.Table(), n)
	source := c.session.Table().Source(id)
	if source == nil || source.Host() != nil || span.Len() < f.Length {
		return FileEdit{}, false
	}
	return FileEdit{Place{source.Path(), text.Span{Start: span.Start, End: span.Start + f.Length}}, f.New}, true
}

// writtenIn returns a text as it is written within a scalar, or false where it
// cannot be put there without looking at what surrounds it.
func writtenIn(host *yaml.Node, text string) (written string, ok bool) {
	if strings.Contains(text, "\n") {
		return "", false
	}
	switch {
	case host.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return text, true
	case host.Style&yaml.DoubleQuotedStyle != 0:
		quoted := scalar.DoubleQuoted(text)
		return quoted[1 : len(quoted)-1], true
	case host.Style&yaml.SingleQuotedStyle != 0:
		return strings.ReplaceAll(text, "'", "''"), true
	}
	return text, !strings.ContainsAny(text, "\\\"'#:{}[]")
}

// scalarText writes a text in the style of the scalar that it replaces, or, where a plain scalar would not hold it, in
// quotes. A plain scalar with a bracket or a comma in it cannot stand between brackets itself.
func scalarText(n *yaml.Node, value string) string {
	isInBlock := n.Style == 0 && strings.ContainsAny(n.Value, ",[]{}")
	return scalar.Write(value, n.Style, !isInBlock)
}

// Apply returns the contents of each file that the edits touch. The contents
// that they were made for come from read.
func Apply(edits []FileEdit, read func(path string) ([]byte, error)) (map[string][]byte, error) {
	byFile := map[string][]text.Edit{}
	for _, e := range edits {
		byFile[e.File] = append(byFile[e.File], text.Edit{Span: e.Span, New: e.New})
	}
	changed := map[string][]byte{}
	for path, list := range byFile {
		content, err := read(path)
		if err != nil {
			return nil, err
		}
		if changed[path], err = text.Apply(content, list); err != nil {
			return nil, err
		}
	}
	return changed, nil
}
