package builder_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/transform"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestObserver looks at what a layer and its base have loaded at each moment: names
// get their prefix between the last two.
func TestObserver(t *testing.T) {
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/base/kustomization.yaml": []byte("resources: [web.yaml]\n"),
		"/base/web.yaml": []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels: {app: web}\n" +
			"spec: {template: {spec: {containers: [{name: c, image: 'a/b:1'}]}}}\n"),
		"/top/kustomization.yaml": []byte("resources: [../base]\nnamePrefix: p-\nconfigMapGenerator: [{name: made}]\n"),
	}))
	var seen []string
	observe := func(moment builder.Moment, loaded *builder.Loaded) {
		seen = append(seen, fmt.Sprintf("%s %d: %s", loaded.Layer.Dir, moment, ids(loaded.Resources())))
		if loaded.Layer.Dir != "/top" || moment == transform.BeforeGenerators {
			return
		}
		text := func(value string) kustomization.Text { return kustomization.Text{Value: value} }
		app := &kustomization.Selector{Kind: text("Dep.*"), LabelSelector: text("app=web")}
		web := &kustomization.Selector{Name: text("web")}
		seen = append(seen, "selected "+ids(loaded.Selected(app))+", source "+ids(loaded.Sources(web))+
			", target "+ids(loaded.Targets(&kustomization.ReplacementTarget{Select: &kustomization.Selector{}, Reject: []*kustomization.Selector{app}}))+
			", malformed "+ids(loaded.Selected(&kustomization.Selector{LabelSelector: text("a=(")}))+
			", scalable "+ids(loaded.Scalable())+", images "+strings.Join(loaded.Images(), " "))
	}
	if _, err := builder.NewSession(files).Build(context.Background(), "/top", builder.Options{Instruments: builder.Instruments{Observer: observe, Observed: "/base/web.yaml"}}); err != nil {
		t.Fatal(err)
	}
	const web, both = "Deployment.apps/web", "Deployment.apps/web ConfigMap/made"
	const prefixed = "Deployment.apps/p-web ConfigMap/p-made"
	want := []string{
		"/base 0: " + web, "/base 1: " + web, "/base 2: " + web,
		"/top 0: " + web,
		"/top 1: " + both,
		"selected " + web + ", source " + web + ", target ConfigMap/made, malformed , scalable " + web + ", images a/b:1",
		"/top 2: " + prefixed,
		"selected Deployment.apps/p-web, source Deployment.apps/p-web, target ConfigMap/p-made, malformed , scalable Deployment.apps/p-web, images a/b:1",
	}
	if !slices.Equal(seen, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
}

func ids(list []*resource.Resource) string {
	var names []string
	for _, r := range list {
		names = append(names, r.ID().String())
	}
	return strings.Join(names, " ")
}
