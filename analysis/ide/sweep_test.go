package ide_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/ide/complete"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestEveryOffset asks for everything at every offset of the fixtures, also of
// files that are cut off there: no answer breaks, and none leads out of its file.
func TestEveryOffset(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	answers := 0
	for _, file := range files {
		tree := fixtureTree(t, file)
		view := workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()})
		for name, content := range tree {
			for offset := 0; offset <= len(content); offset += 9 {
				answers += askEverything(t, view, tree, name, offset)
				if offset%4 == 0 {
					answers += askEverything(t, view.Edit(name, content[:offset]), tree, name, offset)
				}
			}
		}
	}
	if answers < 200 {
		t.Errorf("there were only %d answers", answers)
	}
}

func askEverything(t *testing.T, view *workspace.View, tree map[string][]byte, file string, offset int) (answers int) {
	t.Helper()
	hover, err := ide.HoverAt(context.Background(), view, file, offset)
	if err != nil {
		t.Fatalf("hover at %s@%d: %v", file, offset, err)
	}
	if hover != nil {
		answers++
		if hover.Span.Start < 0 || hover.Span.End < hover.Span.Start || hover.Span.End > len(tree[file]) || hover.Markdown+hover.Description == "" {
			t.Errorf("hover at %s@%d: %+v", file, offset, hover)
		}
	}
	definition, err := ide.DefinitionAt(context.Background(), view, file, offset)
	if err != nil {
		t.Fatalf("definition at %s@%d: %v", file, offset, err)
	}
	if definition != nil {
		answers++
		for _, p := range definition.Places {
			if content, ok := tree[p.File]; !ok || p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(content) {
				t.Errorf("definition at %s@%d leads to %+v", file, offset, p)
			}
		}
	}
	return answers + navigateFrom(t, view, file, offset) + completeFrom(t, view, file, offset)
}

// TestCancelled holds that no answer is made of a build that was given up.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		root + "/kustomization.yaml": []byte("resources: []\npatches:\n- patch: x\n"),
	})), []string{root}, analysis.Options{Rules: rules.All()})
	if hover, err := ide.HoverAt(ctx, view, root+"/kustomization.yaml", 32); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled hover gives %v, %v", hover, err)
	}
	if completion, err := complete.At(ctx, view, root+"/kustomization.yaml", 22); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled completion gives %v, %v", completion, err)
	}
	if err := view.Check(ctx, nil, func(*workspace.PartialReport) { t.Error("findings of a cancelled check") }); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled check gives %v", err)
	}
	published := 0
	if err := view.Check(context.Background(), nil, func(*workspace.PartialReport) { published++ }); err != nil || published != 1 {
		t.Errorf("the check after it gives %v and %d findings", err, published)
	}
}
