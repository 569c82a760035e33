package ide

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
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
			if workspace.ReadsLines(l, f, c.File) && slices.ContainsFunc(f.Keys, func(key builder.KeyFact) bool { return cursor.IsLineOf(u.Scope, c, key) }) {
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
