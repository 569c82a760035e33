package ide_test

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

const applicationSet = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: apps
  namespace: argocd
spec:
  generators:
  - git:
      repoURL: https://git.example.com/shop
      directories:
      - path: apps/*
  template:
    metadata:
      name: '{{path.basename}}'
    spec:
      source:
        repoURL: https://git.example.com/shop
        path: '{{path}}'
      destination:
        namespace: ns-{{path.basename}}
`

// What a text with parameters becomes, what a pattern finds and where a path leads is said in the set itself.
func TestHoverInApplicationSet(t *testing.T) {
	const remote = "[remote \"origin\"]\n\turl = https://git.example.com/shop.git\n"
	v := workspace.New(vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/repo/.git/config":                 []byte(remote),
		"/repo/argocd/apps.yaml":            []byte(applicationSet),
		"/repo/apps/web/kustomization.yaml": []byte("resources: [cm.yaml]\n"),
		"/repo/apps/web/cm.yaml":            []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
		"/repo/apps/api/kustomization.yaml": []byte("resources: [missing.yaml]\n"),
	})), []string{"/repo"}, analysis.Options{Rules: rules.All()})
	for _, test := range []struct {
		at, want string
		places   int
	}{
		{"apps/*", "makes 2 Applications\n\n- `api`: `apps/api`, fails\n- `web`: `apps/web`, exact", 2},
		{"{{path}}", "2 Applications\n\n- `api`: `apps/api`, fails\n- `web`: `apps/web`, exact", 2},
		{"ns-", "2 Applications\n\n- `api`: `ns-api`, fails\n- `web`: `ns-web`, exact", 0},
	} {
		offset := strings.Index(applicationSet, test.at) + 1
		hover, err := ide.HoverAt(t.Context(), v, "/repo/argocd/apps.yaml", offset)
		if err != nil || hover == nil {
			t.Fatal(test.at, hover, err)
		}
		if hover.Markdown != test.want {
			t.Errorf("%s: got %q, want %q", test.at, hover.Markdown, test.want)
		}
		if got := applicationSet[hover.Span.Start:hover.Span.End]; !strings.Contains(got, test.at) {
			t.Errorf("%s: it is about %q", test.at, got)
		}
		d, err := ide.DefinitionAt(t.Context(), v, "/repo/argocd/apps.yaml", offset)
		if err != nil || d == nil && test.places > 0 || d != nil && len(d.Places) != test.places {
			t.Errorf("%s leads to %v, %v", test.at, d, err)
		}
	}
}
