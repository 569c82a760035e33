package include_test

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/graph"
	"github.com/kustomize-lsp/kls/analysis/ide/include"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

var tree = map[string][]byte{
	"/r/base/kustomization.yaml":  []byte("resources: [all.yaml, gone.yaml]\n"),
	"/r/base/all.yaml":            []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
	"/r/a/kustomization.yaml":     []byte("resources: [../base]\ncomponents: [../used]\n"),
	"/r/b/kustomization.yaml":     []byte("resources: [../a]\n# kls:ignore patch-no-target tried\npatches:\n- target: {kind: Pod}\n  patch: '[]'\n"),
	"/r/used/kustomization.yaml":  []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"),
	"/r/alone/kustomization.yaml": []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [../base/all.yaml]\n"),
}

// The graph of a workspace that was checked builds nothing: it is made of what the check left, and says what the graph
// of a command says, which checks for itself.
func TestGraphBuildsNothingAgain(t *testing.T) {
	files := vfs.NewSnapshot(vfs.Memory(tree))
	var builds atomic.Int32
	options := analysis.Options{Rules: rules.All(), Config: config.New(files)}
	options.BuildOf = func(config.Build) builder.Options {
		builds.Add(1)
		return builder.Options{}
	}
	view := workspace.New(files, []string{"/r"}, options)
	if err := view.Check(t.Context(), nil, func(*workspace.PartialReport) {}); err != nil {
		t.Fatal(err)
	}
	before := builds.Load()
	if before == 0 {
		t.Fatal("the check built nothing")
	}
	got, err := include.Graph(t.Context(), view, "", "/r")
	if err != nil {
		t.Fatal(err)
	}
	if after := builds.Load(); after != before {
		t.Errorf("the graph made %d builds", after-before)
	}
	targets, err := analysis.Discover(t.Context(), files, "/r")
	if err != nil {
		t.Fatal(err)
	}
	want, err := graph.Make(t.Context(), builder.NewSession(files), targets, graph.Options{Base: "/r", Check: options})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := jsonOf(t, got), jsonOf(t, want); got != want {
		t.Errorf("the view's graph is\n%s\nthe command's\n%s", got, want)
	}
}

// A graph of one folder waits for the roots there, and for no other.
func TestGraphOfFolderBuildsNoOther(t *testing.T) {
	files := vfs.NewSnapshot(vfs.Memory(tree))
	view := workspace.New(files, []string{"/r"}, analysis.Options{Rules: rules.All()})
	if _, err := include.Graph(t.Context(), view, "/r/base", "/r"); err != nil {
		t.Fatal(err)
	}
	roots, err := view.Roots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for dir, r := range roots {
		if built := r.Current() != nil; built != (dir == "/r/base") {
			t.Errorf("%s was built: %t", dir, built)
		}
	}
}

func jsonOf(t *testing.T, g *graph.Graph) string {
	t.Helper()
	var b bytes.Buffer
	if err := g.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
