package ide

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// inputLine returns the line of an env file that the cursor is on, if it gives a key. To
// YAML such a file is a text of many lines, or none at all.
func (u *scope) inputLine(c cursor.Cursor) (text.Span, bool) {
	source := c.Table.Source(c.ID)
	if u == nil || source == nil {
		return text.Span{}, false
	}
	for _, l := range workspace.Layers(u.Result) {
		for i := range l.Facts.Generators {
			f := &l.Facts.Generators[i]
			if workspace.ReadsLines(l, f, c.File) && slices.ContainsFunc(f.Keys, func(key builder.KeyFact) bool { return u.isLineOf(c, key) }) {
				line, _ := source.Lines().OffsetToLineColumn(c.Offset)
				return source.Lines().LineSpan(line - 1), true
			}
		}
	}
	return text.Span{}, false
}

// hoverLine tells of a line of an env file what becomes of its value.
func (u *scope) hoverLine(ctx context.Context, c cursor.Cursor, line text.Span) (*Hover, error) {
	said, err := u.fieldUses(ctx, c)
	if err != nil || said == "" {
		return nil, err
	}
	return &Hover{Span: line, Markdown: said, Root: u.Build.Root.Dir}, nil
}

// inputFields returns where the part of a generator's file under the cursor is in the
// output: the key that has the file, or a field of the document that it holds, and
// the key of a line of an env file.
func (u *scope) inputFields(c cursor.Cursor, target *yaml.Node) []outputField {
	var fields []outputField
	for _, l := range workspace.Layers(u.Result) {
		for i := range l.Facts.Generators {
			f := &l.Facts.Generators[i]
			made := u.final(f.Made)
			if made == nil {
				continue
			}
			for _, key := range f.Keys {
				path := "data." + fieldpath.Escape(key.Name)
				switch {
				case u.isLineOf(c, key):
					fields = append(fields, outputField{resource: made, path: path, named: true, isInput: true, isLine: true})
				case readsFile(l, key, c.File):
					fields = append(fields, u.inDocument(c, made, path, target))
				}
			}
		}
	}
	return fields
}

// readsFile tells whether a key has its value from a file.
func readsFile(l *builder.Layer, key builder.KeyFact, file string) bool {
	return slices.ContainsFunc(l.Facts.Inputs, func(in builder.Input) bool {
		return in.Path == file && workspace.SameNode(in.Entry, key.Node)
	})
}

// isLineOf tells whether the cursor is on the line of an env file that gives a key.
func (u *scope) isLineOf(c cursor.Cursor, key builder.KeyFact) bool {
	place, ok := u.Place(key.Node)
	return ok && place.File == c.File && c.IsOnLine(place.Span)
}

// inDocument returns the field that the cursor is in of a document that became the
// value at a path; the value itself where the file holds no such document.
func (u *scope) inDocument(c cursor.Cursor, made *resource.Resource, path string, target *yaml.Node) outputField {
	whole := outputField{resource: made, path: path, named: true, isInput: true}
	if len(c.Steps) == 0 {
		return whole
	}
	field, ok := explain.FieldOf(c.Steps[0].Parent, target)
	if !ok {
		return whole
	}
	within := whole
	within.path, within.written = path+"."+field, target
	outcome := fieldpath.Get(made.Node, fieldpath.Parse(within.path), fieldpath.Options{})
	if outcome.Failure != nil && made.ID().Kind == "Secret" {
		return whole // it is encoded
	}
	return within
}

// final returns what a generated resource is in the end: what generators of other
// layers merged it into. It is nil where it is not in the output.
func (u *scope) final(r *resource.Resource) *resource.Resource {
	for range workspace.Layers(u.Result) {
		if slices.Contains(u.Result.Resources, r) {
			return r
		}
		next := (*resource.Resource)(nil)
		for _, l := range workspace.Layers(u.Result) {
			for i := range l.Facts.Generators {
				if f := &l.Facts.Generators[i]; f.Base == r {
					next = f.Made
				}
			}
		}
		if next == nil {
			return nil
		}
		r = next
	}
	return nil
}
