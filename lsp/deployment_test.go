package lsp_test

import (
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// fleet is deployed by Flux: the object in ks.yaml has a namespace, a variable and a
// patch for the folder app.
func fleet() map[string]string {
	return map[string]string{
		"ks.yaml": `---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: app
  namespace: flux-system
spec:
  path: ./app
  targetNamespace: shop
  sourceRef:
    kind: GitRepository
    name: fleet
  postBuild:
    substitute:
      COLOR: red
`,
		"app/kustomization.yaml": "resources:\n- config.yaml\n",
		"app/config.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: config\ndata:\n  color: ${COLOR}\n",
	}
}

// A preview of a Flux Kustomization is what the cluster gets, with what is not saved yet.
func TestPreviewOfDeployment(t *testing.T) {
	e := open(t, setup{tree: fleet(), capabilities: virtualClient})
	e.open("ks.yaml")
	e.replace("ks.yaml", "COLOR: red", "COLOR: blue")
	p := e.preview(map[string]any{"uri": e.uri("ks.yaml"), "position": protocol.Position{Line: 8}})
	want := "apiVersion: v1\ndata:\n  color: blue\nkind: ConfigMap\nmetadata:\n  name: config\n  namespace: shop\n"
	if p.Text != want || p.URI != "kls:/tree/preview.yaml?deployment%3DKustomization%2Fflux-system%2Fapp" || p.Verdict != "builds" {
		t.Errorf("the preview is %+v", p)
	}
	if got := e.content(p.URI); got != want {
		t.Errorf("the virtual document is\n%s", got)
	}
	for line, file := range map[int]string{2: "app/config.yaml", 6: "ks.yaml"} {
		at := p.Lines[line]
		if at == nil || !strings.HasSuffix(p.Files[at[0]], "/"+file) {
			t.Errorf("line %d was written at %v of %v, not in %s", line, at, p.Files, file)
		}
	}
	// The first deployment of the file, without a position, and one that is named.
	if named := e.preview(map[string]any{"uri": e.uri("app/config.yaml"), "deployment": "Kustomization/flux-system/app"}); named.Text != want {
		t.Errorf("the named preview is %+v", named)
	}
	if first := e.preview(map[string]any{"uri": e.uri("ks.yaml")}); first.Text != want {
		t.Errorf("the first preview is %+v", first)
	}
	e.replace("ks.yaml", "COLOR: blue", "COLOR: green")
	if got := e.content(p.URI); !strings.Contains(got, "color: green\n") {
		t.Errorf("after an edit the virtual document is\n%s", got)
	}
	at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.URI(p.URI)}, Position: protocol.Position{Line: 2}}
	hover, err := e.server.Hover(e.context(), &protocol.HoverParams{TextDocumentPositionParams: at})
	e.must(err)
	if got := hover.Contents.(*protocol.MarkupContent).Value; !strings.Contains(got, "`${COLOR}` → `green`") {
		t.Errorf("the hover is %s", got)
	}
	// A file that is deployed shows what its kustomization renders, as ever.
	if plain := e.preview(map[string]any{"uri": e.uri("app/config.yaml")}); !strings.Contains(plain.Text, "${COLOR}") {
		t.Errorf("the preview of the folder is %+v", plain)
	}
	e.quit()
}

// The difference is what the Kustomization adds to its folder.
func TestPreviewDiffOfDeployment(t *testing.T) {
	e := open(t, setup{tree: fleet(), capabilities: virtualClient})
	var d struct {
		Title               string
		Before, After, Diff struct{ URI, Text string }
	}
	e.must(e.execute(&d, "kls.previewDiff", map[string]any{"uri": e.uri("ks.yaml"), "against": "base"}))
	if !strings.Contains(d.Before.Text, "  color: ${COLOR}\n") || strings.Contains(d.Before.Text, "namespace") || !strings.Contains(d.After.Text, "  color: red\n") {
		t.Errorf("before:\n%safter:\n%s", d.Before.Text, d.After.Text)
	}
	if !strings.Contains(d.Diff.Text, "-  color: ${COLOR}\n+  color: red\n") || d.Title != "Kustomization/flux-system/app: base ↔ now" {
		t.Errorf("%s\n%s", d.Title, d.Diff.Text)
	}
	if got := e.content(d.Before.URI); got != d.Before.Text {
		t.Errorf("the document of before is\n%s", got)
	}
	e.quit()
}
