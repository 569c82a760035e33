package ide_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestEveryOffsetOfAFieldPath asks at each character of a field path where it leads: what is
// asked about is the segment that the cursor is in, and it leads to that field.
func TestEveryOffsetOfAFieldPath(t *testing.T) {
	const path = `spec.template.metadata.labels.app\.name`
	tree := map[string][]byte{
		root + "/kustomization.yaml": []byte("resources: [deploy.yaml]\nreplacements:\n- source:\n    kind: Deployment\n    fieldPath: " + path + "\n  targets:\n  - select: {kind: Deployment}\n    fieldPaths: [metadata.name]\n"),
		root + "/deploy.yaml":        []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    metadata:\n      labels:\n        app.name: web\n"),
	}
	file := root + "/kustomization.yaml"
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()})
	start := strings.Index(string(tree[file]), path)
	lines := map[string]string{"spec": "spec:", "template": "template:", "metadata": "metadata:", "labels": "labels:", `app\.name`: "app.name:"}
	at := 0
	for _, segment := range []string{"spec", "template", "metadata", "labels", `app\.name`} {
		for offset := at; offset < at+len(segment); offset++ {
			d, err := ide.DefinitionAt(context.Background(), view, file, start+offset)
			if err != nil || d == nil || len(d.Places) == 0 {
				t.Fatalf("%s at %d leads nowhere: %v", segment, offset-at, err)
			}
			if d.Origin.Start != start+at || d.Origin.End != start+at+len(segment) {
				t.Errorf("%s at %d: asked about is %q", segment, offset-at, tree[file][d.Origin.Start:d.Origin.End])
			}
			deploy := string(tree[root+"/deploy.yaml"])
			begin := strings.LastIndex(deploy[:d.Places[0].Span.Start+1], "\n") + 1
			if line := strings.TrimSpace(deploy[begin:]); !strings.HasPrefix(line, lines[segment]) {
				t.Errorf("%s at %d leads to %q", segment, offset-at, line)
			}
		}
		at += len(segment) + 1
	}
}
