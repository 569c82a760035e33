package ide_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/annotate"
	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// pieces are files with all that is shown of builds, in text beyond ASCII and with
// line ends of both kinds.
var pieces = map[string][]byte{
	"/tree/kustomization.yaml": []byte("# ä😀\r\nnamePrefix: ö-\r\nresources: [all.yaml]\r\nconfigMapGenerator:\r\n- name: k\r\n  literals: [a=😀]\r\n  files: [app.json]\r\n" +
		"images:\n- {name: x, newTag: \"2\"}\npatches:\n- target: {kind: Pod}\n  patch: |-\n    - op: add\n      path: /metadata/labels\n      value: {é: è}\n- path: patch.yaml\n" +
		"replacements:\n- source: {kind: ConfigMap, name: k, fieldPath: 'data.app\\.json.ü'}\n  targets:\n  - select: {kind: Pod}\n    fieldPaths: ['spec.containers.[name=a].env.0.value']\n"),
	"/tree/all.yaml":   []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: é}\nspec:\n  containers:\n  - name: a\n    image: x\n    env:\n    - {name: N, value: v}\n---\r\napiVersion: v1\r\nkind: Service\r\nmetadata:\r\n  name: s\r\n"),
	"/tree/patch.yaml": []byte("apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {type: ClusterIP}\n"),
	"/tree/app.json":   []byte("{\"ü\": \"ß\"}\n"),
}

// TestEveryPrefix shows what builds make of files that are cut off anywhere, and of
// files without one of their lines: nothing breaks, and no answer leads out of the
// text.
func TestEveryPrefix(t *testing.T) {
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(pieces)), []string{"/tree"}, analysis.Options{Rules: rules.All()})
	whole := showBuilds(t, view, pieces)
	if whole.lenses < 6 || whole.hints < 3 || whole.tokens < 10 || whole.lines < 20 {
		t.Errorf("of the whole there are %+v", whole)
	}
	for name, content := range pieces {
		for end := 0; end < len(content); end += 3 {
			edited := map[string][]byte{name: content[:end]}
			showBuilds(t, view.Edit(name, content[:end]), edited)
		}
		lines := bytes.SplitAfter(content, []byte("\n"))
		for i := range lines {
			var without []byte
			for j, line := range lines {
				if j != i {
					without = append(without, line...)
				}
			}
			showBuilds(t, view.Edit(name, without), map[string][]byte{name: without})
		}
	}
}

type shownBuilds struct{ lenses, hints, tokens, lines int }

func showBuilds(t *testing.T, view *workspace.View, edited map[string][]byte) (shown shownBuilds) {
	t.Helper()
	ctx := context.Background()
	checked(t, view)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	for name := range pieces {
		f, err := view.Files().ReadFile(name)
		must(err)
		isIn := func(span text.Span) {
			if span.Start < 0 || span.End < span.Start || span.End > len(f.Data) {
				t.Helper()
				t.Errorf("%v of %d bytes: %q", span, len(f.Data), edited)
			}
		}
		lenses, err := annotate.Lenses(ctx, view, name)
		must(err)
		for _, l := range lenses {
			isIn(l.Span)
			l, err = annotate.ResolveLens(ctx, view, name, l)
			must(err)
			if l.Title == "" {
				t.Errorf("a lens about the %s of %s has no title: %q", l.About, name, edited)
			}
		}
		hints, err := annotate.Hints(ctx, view, name, text.Span{End: len(f.Data)})
		must(err)
		for _, h := range hints {
			isIn(text.Span{Start: h.Offset, End: h.Offset})
		}
		tokens, err := structure.Tokens(ctx, view, name)
		must(err)
		last := 0
		for _, token := range tokens {
			isIn(token.Span)
			if token.Span.Start < last {
				t.Errorf("the tokens overlap: %v in %q", tokens, edited)
			}
			last = token.Span.End
		}
		shown.lenses, shown.hints, shown.tokens = shown.lenses+len(lenses), shown.hints+len(hints), shown.tokens+len(tokens)
	}
	for _, incoming := range []bool{false, true} {
		rendered, err := preview.Render(ctx, view, preview.Rendering{Root: "/tree", Incoming: incoming})
		must(err)
		if rendered == nil {
			continue
		}
		if got := strings.Count(string(rendered.Text), "\n"); got != len(rendered.Written) {
			t.Errorf("%d lines have %d places: %q", got, len(rendered.Written), edited)
		}
		shown.lines += len(rendered.Written)
		for line := 0; line <= len(rendered.Written); line += 5 {
			_, err := preview.ExplainLine(ctx, view, rendered, line)
			must(err)
		}
		for _, p := range rendered.Written {
			if p.Known() && !strings.HasPrefix(p.File, "/tree"+string(filepath.Separator)) {
				t.Errorf("a line was written in %v", p)
			}
		}
	}
	return shown
}
