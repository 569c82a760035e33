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

const deployedObject = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: web
  namespace: flux-system
spec:
  path: ./apps/web
  sourceRef:
    kind: GitRepository
    name: flux-system
  postBuild:
    substitute:
      PORT: "8080"
`

const deployedService = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: ${PORT}\n"

func deployedView() *workspace.View {
	return workspace.New(vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/repo/clusters/web.yaml":           []byte(deployedObject),
		"/repo/apps/web/service.yaml":       []byte(deployedService),
		"/repo/apps/web/kustomization.yaml": []byte("resources:\n- service.yaml\n"),
	})), []string{"/repo"}, analysis.Options{Rules: rules.All()})
}

func TestHoverOnVariable(t *testing.T) {
	offset := strings.Index(deployedService, "PORT")
	hover, err := ide.HoverAt(t.Context(), deployedView(), "/repo/apps/web/service.yaml", offset)
	if err != nil || hover == nil {
		t.Fatal(hover, err)
	}
	if want := "- `8080` in Kustomization/flux-system/web, from repo/clusters/web.yaml, line 13\n"; hover.Markdown != want {
		t.Errorf("got %q, want %q", hover.Markdown, want)
	}
	if got := deployedService[hover.Span.Start:hover.Span.End]; got != "${PORT}" {
		t.Errorf("it is about %q", got)
	}
}

func TestDefinitionsOfDeployments(t *testing.T) {
	v := deployedView()
	d, err := ide.DefinitionAt(t.Context(), v, "/repo/apps/web/service.yaml", strings.Index(deployedService, "PORT"))
	if err != nil || d == nil || len(d.Places) != 1 || d.Places[0].File != "/repo/clusters/web.yaml" ||
		deployedObject[d.Places[0].Span.Start:d.Places[0].Span.End] != `"8080"` {
		t.Errorf("the variable leads to %v, %v", d, err)
	}
	d, err = ide.DefinitionAt(t.Context(), v, "/repo/clusters/web.yaml", strings.Index(deployedObject, "apps/web"))
	if err != nil || d == nil || len(d.Places) != 1 || d.Places[0].File != "/repo/apps/web/kustomization.yaml" {
		t.Errorf("the path leads to %v, %v", d, err)
	}
}

// A missing variable is reported while the parent is edited, from its unsaved text.
func TestDiagnosticsFollowUnsavedObject(t *testing.T) {
	v := deployedView()
	count := func(v *workspace.View) int {
		n := 0
		if err := v.Check(t.Context(), nil, func(f *workspace.PartialReport) {
			n = 0
			for _, d := range f.Diagnostics {
				if strings.HasPrefix(d.Rule, "deployment-") {
					n++
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(v); n != 0 {
		t.Errorf("%d findings at first", n)
	}
	renamed := v.Edit("/repo/clusters/web.yaml", []byte(strings.Replace(deployedObject, "PORT", "PROT", 1)))
	if n := count(renamed); n != 2 {
		t.Errorf("%d findings once the variable is renamed", n)
	}
	if n := count(renamed.Edit("/repo/clusters/web.yaml", []byte(deployedObject))); n != 0 {
		t.Errorf("%d findings once that is taken back", n)
	}
}
