package ide_test

import (
	"context"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/ide/include"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
)

// navigateFrom asks where one can go from an offset, and returns how many answers
// there were. No place may lie outside of its file.
func navigateFrom(t *testing.T, view *workspace.View, file string, offset int) (answers int) {
	t.Helper()
	if offset%5 != 0 {
		return 0 // these answers take several builds each
	}
	ctx := context.Background()
	check := func(what string, err error, places ...analysis.Place) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s at %s@%d: %v", what, file, offset, err)
		}
		for _, p := range places {
			answers++
			f, err := view.Files().ReadFile(p.File)
			if err != nil || p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(f.Data) {
				t.Errorf("%s at %s@%d leads to %+v: %v", what, file, offset, p, err)
			}
		}
	}
	references, err := ide.References(ctx, view, file, offset)
	check("references", err, placesOf(references)...)
	highlights, err := ide.Highlight(ctx, view, file, offset)
	check("highlight", err, placesOf(highlights)...)
	implementation, err := ide.Implementation(ctx, view, file, offset)
	if implementation == nil {
		implementation = &ide.Definition{}
	}
	check("implementation", err, implementation.Places...)
	_, _, err = include.ItemAt(ctx, view, file, offset)
	check("includes", err)
	renamable, reason, err := ide.PrepareRename(ctx, view, file, offset)
	if renamable != nil {
		check("rename", err, analysis.Place{File: file, Span: renamable.Span})
	} else if reason == "" {
		t.Errorf("no rename at %s@%d, and no reason: %v", file, offset, err)
	}
	in := func(span text.Span) analysis.Place { return analysis.Place{File: file, Span: span} }
	inner := text.Span{Start: offset, End: offset}
	for _, span := range structure.Selection(view, file, offset) {
		check("selection", nil, in(span))
		if span.Start > inner.Start || span.End < inner.End {
			t.Errorf("selection at %s@%d: %v is not within %v", file, offset, inner, span)
		}
		inner = span
	}
	if offset%4 != 0 {
		return answers // the rest does not depend on the offset
	}
	for _, fold := range structure.Folds(view, file) {
		check("fold", nil, in(fold.Span))
	}
	for _, link := range structure.Links(view, file) {
		check("link", nil, in(link.Span))
	}
	for _, included := range include.Included(view, file) {
		for _, span := range included.Spans {
			check("included", nil, in(span))
		}
	}
	var walk func([]structure.Symbol)
	walk = func(list []structure.Symbol) {
		for _, s := range list {
			check("outline", nil, in(s.Span), in(s.Selection))
			if s.Name == "" || s.Selection.Start < s.Span.Start || s.Selection.End > s.Span.End {
				t.Errorf("outline of %s: %+v", file, s)
			}
			walk(s.Children)
		}
	}
	outline, err := structure.Outline(ctx, view, file)
	check("outline", err)
	walk(outline)
	symbols, err := structure.WorkspaceSymbols(ctx, view, "e")
	for _, s := range symbols {
		check("symbols", err, s.Place)
	}
	return answers
}

func placesOf(references []ide.Reference) []analysis.Place {
	places := make([]analysis.Place, len(references))
	for i, r := range references {
		places[i] = r.Place
	}
	return places
}
