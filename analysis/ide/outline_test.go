package ide_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/include"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/engine/text"
)

// The verbs about the structure of files:
//
//	^ outline NAME             the symbols of the file are want/NAME.md
//	^ find QUERY → NAME, …     the symbols of the workspace that a query finds
//	^ selects TEXT | TEXT | …  the spans around the place, but for the whole file
//	^ folds 1-3, 5-9#          the folds of the file by their lines, comments with a #
//	^ links TEXT → TARGET, …   the links of the file
//	^ includers NAME LINES, …  the include graph at the place, by lines
//	^ included NAME LINES, …
func init() {
	verbs["outline"] = verb{answer: outlineAt, golden: true}
	verbs["find"] = verb{answer: findAt}
	verbs["selects"] = verb{answer: selectsAt}
	verbs["folds"] = verb{answer: foldsAt}
	verbs["links"] = verb{answer: linksAt}
	verbs["includers"] = verb{answer: includersAt}
	verbs["included"] = verb{answer: includedAt}
}

func outlineAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	var b strings.Builder
	var show func(depth int, list []structure.Symbol)
	lines := text.NewLines(scene.tree[m.file])
	show = func(depth int, list []structure.Symbol) {
		for _, s := range list {
			first, _ := lines.OffsetToLineColumn(s.Span.Start)
			last, _ := lines.OffsetToLineColumn(s.Span.End)
			fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", depth), s.Name)
			if s.Detail != "" {
				fmt.Fprintf(&b, " (%s)", s.Detail)
			}
			fmt.Fprintf(&b, " %d-%d %q\n", first, last, scene.tree[m.file][s.Selection.Start:s.Selection.End])
			show(depth+1, s.Children)
		}
	}
	symbols, err := structure.Outline(context.Background(), scene.view, m.file)
	if err != nil {
		t.Fatal(err)
	}
	show(0, symbols)
	return b.String()
}

func findAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	query, _, _ := strings.Cut(m.Detail, " → ")
	found, err := structure.WorkspaceSymbols(context.Background(), scene.view, query)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range found {
		names = append(names, s.Name+" "+scene.show([]analysis.Place{s.Place}))
	}
	return query + " → " + strings.Join(names, ", ")
}

func selectsAt(_ *testing.T, scene *scene, m marker) string {
	var shown []string
	content := scene.tree[m.file]
	for _, span := range structure.Selection(scene.view, m.file, m.Offset) {
		if span.Len() < len(content) {
			shown = append(shown, strings.ReplaceAll(string(content[span.Start:span.End]), "\n", "⏎"))
		}
	}
	return strings.Join(shown, " | ")
}

func foldsAt(_ *testing.T, scene *scene, m marker) string {
	var shown []string
	lines := text.NewLines(scene.tree[m.file])
	for _, f := range structure.Folds(scene.view, m.file) {
		first, _ := lines.OffsetToLineColumn(f.Span.Start)
		last, _ := lines.OffsetToLineColumn(f.Span.End)
		fold := fmt.Sprintf("%d-%d", first, last)
		if f.Comment {
			fold += "#"
		}
		shown = append(shown, fold)
	}
	return strings.Join(shown, ", ")
}

func linksAt(_ *testing.T, scene *scene, m marker) string {
	var shown []string
	for _, l := range structure.Links(scene.view, m.file) {
		shown = append(shown, fmt.Sprintf("%s → %s%s", scene.tree[m.file][l.Span.Start:l.Span.End], strings.TrimPrefix(l.File, root+"/"), l.URL))
	}
	return strings.Join(shown, ", ")
}

func includersAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	item, ok, err := include.ItemAt(context.Background(), scene.view, m.file, m.Offset)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	found, err := include.Includers(context.Background(), scene.view, item.File)
	if err != nil {
		t.Fatal(err)
	}
	return item.Name + ": " + scene.showIncludes(found, "")
}

func includedAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	item, ok, err := include.ItemAt(context.Background(), scene.view, m.file, m.Offset)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return item.Name + ": " + scene.showIncludes(include.Included(scene.view, item.File), item.File)
}

func (s *scene) showIncludes(found []include.Edge, in string) string {
	var shown []string
	for _, f := range found {
		name := f.Item.Name
		file := in
		if in == "" {
			file = f.Item.File
		}
		for _, span := range f.Spans {
			line, _ := text.NewLines(s.tree[file]).OffsetToLineColumn(span.Start)
			name += fmt.Sprintf(" %d", line)
		}
		shown = append(shown, name)
	}
	return strings.Join(shown, ", ")
}
