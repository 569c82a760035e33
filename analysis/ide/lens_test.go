package ide_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/ide/annotate"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
)

// The verbs of what stands above, behind and in lines:
//
//	^ lens TITLE | …          the lenses that begin at the place, resolved
//	^ hint LABEL              the hint behind the text that the place is in
//	^ tokens TEXT:KIND …      the parts of the field paths on the line
func init() {
	verbs["lens"] = verb{answer: lensAt}
	verbs["hint"] = verb{answer: hintAt}
	verbs["tokens"] = verb{answer: tokensAt}
}

func checked(t *testing.T, view *workspace.View) {
	t.Helper()
	if err := view.Check(context.Background(), nil, func(*workspace.PartialReport) {}); err != nil {
		t.Fatal(err)
	}
}

func lensAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	checked(t, scene.view)
	lenses, err := annotate.Lenses(context.Background(), scene.view, m.file)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, l := range lenses {
		if l.Span.Start != m.Offset {
			continue
		}
		if l, err = annotate.ResolveLens(context.Background(), scene.view, m.file, l); err != nil {
			t.Fatal(err)
		}
		titles = append(titles, l.Title)
	}
	return strings.Join(titles, " | ")
}

func hintAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	content := scene.tree[m.file]
	hints, err := annotate.Hints(context.Background(), scene.view, m.file, text.Span{End: len(content)})
	if err != nil {
		t.Fatal(err)
	}
	end := m.Offset
	for end < len(content) && !strings.ContainsRune(" \n}],", rune(content[end])) {
		end++
	}
	for _, h := range hints {
		if h.Offset == end {
			return h.Label
		}
	}
	return ""
}

func tokensAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	checked(t, scene.view)
	content := scene.tree[m.file]
	tokens, err := structure.Tokens(context.Background(), scene.view, m.file)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	lines := text.NewLines(content)
	line, _ := lines.OffsetToLineColumn(m.Offset)
	for _, token := range tokens {
		if at, _ := lines.OffsetToLineColumn(token.Span.Start); at == line {
			shown = append(shown, fmt.Sprintf("%s:%s", content[token.Span.Start:token.Span.End], token.Kind))
		}
	}
	return strings.Join(shown, " ")
}
