package ide_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/ide/action"
	"github.com/kustomize-lsp/kls/analysis/ide/annotate"
	"github.com/kustomize-lsp/kls/analysis/ide/complete"
	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// overlays is a base with so many overlays, each with a patch, an image and a generator.
func overlays(count int) map[string][]byte {
	tree := map[string]string{
		"base/kustomization.yaml": "resources:\n- deploy.yaml\n- service.yaml\nconfigMapGenerator:\n- name: settings\n  files: [settings.json]\npatches:\n- path: patch.yaml\nimages:\n- name: example/web\n  newTag: v1\n",
		"base/deploy.yaml":        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  selector:\n    matchLabels: {app: web}\n  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n      - name: web\n        image: example/web:v0\n        envFrom:\n        - configMapRef:\n            name: settings\n",
		"base/service.yaml":       "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  selector: {app: web}\n  ports:\n  - port: 80\n",
		"base/patch.yaml":         "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n",
		"base/settings.json":      "{\"color\": \"blue\"}\n",
	}
	for i := range count {
		dir := fmt.Sprintf("overlays/o%04d/", i)
		tree[dir+"kustomization.yaml"] = fmt.Sprintf("resources:\n- ../../base\nnamePrefix: o%d-\nimages:\n- name: example/web\n  newTag: v%d\npatches:\n- path: patch.yaml\n", i, i)
		tree[dir+"patch.yaml"] = fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: %d\n", i+2)
	}
	files := map[string][]byte{}
	for name, content := range tree {
		files[filepath.Join(root, name)] = []byte(content)
	}
	return files
}

// BenchmarkManyRoots asks about files of a base with 1,500 overlays, each time right after an
// edit of the base, when no overlay was checked again. The figures of the base's
// kustomization, which is edited last, are those that are shown.
func BenchmarkManyRoots(b *testing.B) {
	files := vfs.NewSnapshot(vfs.Memory(overlays(1500)))
	view := workspace.New(files, []string{root}, analysis.Options{Rules: rules.All(), Config: config.New(files), Schemas: analysis.NewSchemas()})
	ctx := context.Background()
	check(b, view)
	base := func(name string) string { return filepath.Join(root, "base", name) }
	at := func(file, needle string) int {
		f, err := view.Files().ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		return strings.Index(string(f.Data), needle) + 1
	}
	deploy, patch, kustomization := base("deploy.yaml"), base("patch.yaml"), base("kustomization.yaml")
	overlay := filepath.Join(root, "overlays/o0700/kustomization.yaml")
	questions := []struct {
		name string
		ask  func() error
	}{
		{"hover-patch", func() error { _, err := ide.HoverAt(ctx, view, patch, at(patch, "replicas")); return err }},
		{"hover-resource", func() error { _, err := ide.HoverAt(ctx, view, deploy, at(deploy, "replicas")); return err }},
		{"hover-kustomization", func() error {
			_, err := ide.HoverAt(ctx, view, kustomization, at(kustomization, "patch.yaml"))
			return err
		}},
		{"hover-overlay", func() error { _, err := ide.HoverAt(ctx, view, overlay, at(overlay, "../base")); return err }},
		{"definition-image", func() error {
			_, err := ide.DefinitionAt(ctx, view, kustomization, at(kustomization, "example/web"))
			return err
		}},
		{"definition-name", func() error { _, err := ide.DefinitionAt(ctx, view, deploy, at(deploy, "settings")); return err }},
		{"definition-patch", func() error { _, err := ide.DefinitionAt(ctx, view, patch, at(patch, "web")); return err }},
		{"implementation", func() error { _, err := ide.Implementation(ctx, view, deploy, at(deploy, "web")); return err }},
		{"references", func() error { _, err := ide.References(ctx, view, deploy, at(deploy, "settings")); return err }},
		{"references-everywhere", func() error { _, err := ide.References(ctx, view, deploy, at(deploy, "web")); return err }},
		{"highlight", func() error { _, err := ide.Highlight(ctx, view, deploy, at(deploy, "web")); return err }},
		{"hints", func() error { _, err := annotate.Hints(ctx, view, patch, text.Span{End: 100}); return err }},
		{"actions", func() error {
			_, err := action.At(ctx, view, action.Query{File: deploy, Span: text.Span{Start: 10, End: 10}})
			return err
		}},
		{"lens", func() error {
			_, err := annotate.ResolveLens(ctx, view, deploy, annotate.Lens{About: annotate.AboutDocument})
			return err
		}},
		{"diagnostics", func() error { _, err := view.CheckFile(ctx, deploy); return err }},
		{"verdicts", func() error { _, err := view.Verdicts(ctx, deploy); return err }},
		{"explain", func() error { _, err := preview.ExplainFile(ctx, view, deploy, at(deploy, "replicas")); return err }},
		{"outline", func() error { _, err := structure.Outline(ctx, view, deploy); return err }},
		{"completion", func() error { _, err := complete.At(ctx, view, patch, at(patch, "web")); return err }},
		{"prepare-rename", func() error { _, _, err := ide.PrepareRename(ctx, view, deploy, at(deploy, "settings")); return err }},
		{"symbols", func() error { _, err := structure.WorkspaceSymbols(ctx, view, "web"); return err }},
	}
	for _, file := range []string{deploy, kustomization} {
		f, _ := view.Files().ReadFile(file)
		for _, q := range questions {
			var took []time.Duration
			for i := range 3 {
				view = view.Edit(file, append(slices.Clone(f.Data), fmt.Sprintf("# %d\n", i)...))
				began := time.Now()
				if err := q.ask(); err != nil {
					b.Fatal(q.name, err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, q.name+"-ms")
		}
		check(b, view)
	}
	b.ReportMetric(0, "ns/op")
}

func check(b *testing.B, view *workspace.View) {
	b.Helper()
	if err := view.Check(context.Background(), nil, func(*workspace.PartialReport) {}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFirstSymbols looks for symbols in 1,500 kustomizations of which none was built.
func BenchmarkFirstSymbols(b *testing.B) {
	tree := overlays(1500)
	for b.Loop() {
		files := vfs.NewSnapshot(vfs.Memory(tree))
		view := workspace.New(files, []string{root}, analysis.Options{Rules: rules.All(), Config: config.New(files), Schemas: analysis.NewSchemas()})
		if _, err := structure.WorkspaceSymbols(context.Background(), view, "web"); err != nil {
			b.Fatal(err)
		}
	}
}
