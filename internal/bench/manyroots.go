package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// roots is how many overlays there are over one base.
const roots = 1500

// manyRoots are the files of a base with overlays, each with a patch of its own.
func manyRoots() map[string]string {
	files := map[string]string{
		"base/kustomization.yaml": "resources:\n- deploy.yaml\npatches:\n- path: patch.yaml\nimages:\n- name: example/web\n  newTag: v1\n",
		"base/deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  selector:\n    matchLabels: {app: web}\n" +
			"  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n      - name: web\n        image: example/web:v0\n",
		"base/patch.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n",
	}
	for i := range roots {
		dir := fmt.Sprintf("overlays/o%04d/", i)
		files[dir+"kustomization.yaml"] = fmt.Sprintf("resources:\n- ../../base\nnamePrefix: o%d-\npatches:\n- path: patch.yaml\n", i)
		files[dir+"patch.yaml"] = fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: %d\n", i+2)
	}
	return files
}

// measureRoots times what concerns one file in a workspace of many roots: none of it may
// wait for the others.
func (p *programs) measureRoots(ctx context.Context, folder string, _ options) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tree := filepath.Join(folder, "many-roots")
	for name, content := range manyRoots() {
		path := filepath.Join(tree, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return "", err
		}
	}
	e, err := newEditor(ctx, process{path: p.kls, arguments: []string{"lsp"}}, tree, filepath.Join(tree, "base/patch.yaml"))
	if err != nil {
		return "", err
	}
	defer e.close()
	start := time.Now()
	if _, err := e.ask(ctx, "workspace/symbol", object{"query": "web"}); err != nil {
		return "", err
	}
	symbols := time.Since(start)
	if err := e.settle(ctx); err != nil {
		return "", err
	}
	text := fmt.Sprintf("\n## Many roots\n\n`kls lsp` with a base of %d overlays. The first symbols of the workspace, before anything is built, take %s. "+
		"Each of the requests is sent right after an edit of the base, when no overlay is built again.\n\n| request | median | 95th percentile |\n| --- | ---: | ---: |\n", roots, milliseconds(symbols))
	for _, request := range []struct{ method, at, more string }{
		{"textDocument/hover", "replicas", ""}, {"textDocument/definition", "web", ""}, {"textDocument/completion", "replicas", ""}, {"textDocument/references", "web", `"context": {"includeDeclaration": true}`},
		{"textDocument/codeAction", "replicas", `"context": {"diagnostics": []}`}, {"textDocument/inlayHint", "replicas", ""}, {"textDocument/codeLens", "web", ""}, {"textDocument/documentSymbol", "web", ""},
	} {
		took, err := e.afterEdits(ctx, request.method, request.at, request.more)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("| %s | %s | %s |\n", request.method, milliseconds(median(took)), milliseconds(percentile(took, 95)))
	}
	return text, nil
}

// afterEdits asks the same again and again, each time right after an edit.
func (e *editor) afterEdits(ctx context.Context, method, at, more string) ([]time.Duration, error) {
	var took []time.Duration
	for i := range 16 { // an even number: the text is as it was
		from, to := "replicas: 3", "replicas: 4"
		if i%2 == 1 {
			from, to = to, from
		}
		if err := e.replace(from, to); err != nil {
			return nil, err
		}
		place := e.position(strings.Index(e.text, at) + 1)
		params := object{"textDocument": object{"uri": e.uri}, "position": place, "range": object{"start": place, "end": place}}
		if more != "" {
			var fields object
			if err := json.Unmarshal([]byte("{"+more+"}"), &fields); err != nil {
				return nil, err
			}
			for name, value := range fields {
				params[name] = value
			}
		}
		start := time.Now()
		if _, err := e.ask(ctx, method, params); err != nil {
			return nil, err
		}
		took = append(took, time.Since(start))
	}
	return took, e.settle(ctx)
}
