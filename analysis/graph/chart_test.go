package graph_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/analysis/graph"
)

// TestChartsInFolders has charts of one name in folders of their own, in one that two
// kustomizations share, in none, and in a repository: each is a node by where it is.
func TestChartsInFolders(t *testing.T) {
	const own = "helmCharts:\n- name: app\n"
	files := map[string][]byte{
		"/r/a/kustomization.yaml":    []byte(own),
		"/r/a/charts/app/Chart.yaml": []byte("name: app\n"),
		"/r/b/kustomization.yaml":    []byte(own),
		"/r/c/kustomization.yaml":    []byte("helmGlobals:\n  chartHome: ../shared\n" + own),
		"/r/d/kustomization.yaml":    []byte("helmGlobals:\n  chartHome: ../shared/\n" + own),
		"/r/shared/app/Chart.yaml":   []byte("name: app\n"),
		"/r/e/kustomization.yaml":    []byte("helmCharts:\n- name: app\n  repo: https://charts.example.com/\n  version: 1.2.3\n"),
	}
	got := map[string]graph.Kind{}
	for _, e := range graphOf(t, files).Edges {
		got[e.From.ID+" → "+e.To.ID] = e.To.Kind
	}
	for edge, kind := range map[string]graph.Kind{
		"a → a/charts/app":                         graph.Input,
		"b → b/charts/app":                         graph.Missing,
		"c → shared/app":                           graph.Input,
		"d → shared/app":                           graph.Input,
		"e → https://charts.example.com/app 1.2.3": graph.Remote,
	} {
		if got[edge] != kind {
			t.Errorf("%s is %q, want %q", edge, got[edge], kind)
		}
	}
	if len(got) != 5 {
		t.Errorf("there are %v", got)
	}
}
