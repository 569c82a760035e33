package explain_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// Each resource can be named by what the others call it, also one that has neither group nor namespace.
func TestEachResourceHasAnAddress(t *testing.T) {
	var resources []*resource.Resource
	for _, text := range []string{
		"{apiVersion: v1, kind: MyCRD, metadata: {name: service}}",
		"{apiVersion: example.com/v1, kind: MyCRD, metadata: {name: service}}",
		"{apiVersion: example.com/v1, kind: MyCRD, metadata: {name: service, namespace: other}}",
	} {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		resources = append(resources, &resource.Resource{Node: document.Content[0]})
	}
	for want, r := range resources {
		got, field, missing := explain.Find(resources, r.ID().String()+":metadata.name")
		if missing != nil || got != want || field != "metadata.name" {
			t.Errorf("%s is resource %d, field %q, %+v", r.ID(), got, field, missing)
		}
	}
	if _, _, missing := explain.Find(resources[1:], "MyCRD/service"); missing == nil || len(missing.Candidates) != 2 {
		t.Errorf("a short form of two: %+v", missing)
	}
}
