package builder_test

import (
	"context"
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// heardSteps lists what a build tells: the folder of the layer and the resource.
type heardSteps []string

func (s *heardSteps) Before(step builder.Step, r *resource.Resource) func() {
	*s = append(*s, step.Layer.Dir+" "+r.ID().Name)
	return nil
}

// TestKeep hears of the layer that is looked at, and there of the resources that are
// kept; a base that is remembered tells nothing, one that is looked at does. What was
// left out is missing from no build that follows.
func TestKeep(t *testing.T) {
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/r/over/kustomization.yaml": []byte("resources: [../base]\nnamePrefix: over-\n"),
		"/r/base/kustomization.yaml": []byte("resources: [x.yaml, y.yaml]\nnamePrefix: base-\n"),
		"/r/base/x.yaml":             []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n"),
		"/r/base/y.yaml":             []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: y}}\n"),
	}))
	session := builder.NewSession(files).Remember(1000)
	watch := func(observed string, keep func(*resource.Resource) bool) []string {
		var heard heardSteps
		if _, err := session.Build(context.Background(), "/r/over", builder.Options{Instruments: builder.Instruments{Recorder: &heard, Observed: observed, Keep: keep}}); err != nil {
			t.Fatal(err)
		}
		return heard
	}
	onlyX := func(r *resource.Resource) bool { return r.OriginalID().Name == "x" }
	check := func(what string, got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: heard %q", what, got)
		}
	}
	over, base := "/r/over/kustomization.yaml", "/r/base/kustomization.yaml"
	all := []string{"/r/base x", "/r/base y", "/r/over base-x", "/r/over base-y"}
	check("nothing is remembered yet", watch(over, onlyX), []string{"/r/base x", "/r/base y", "/r/over base-x"})
	if result, err := session.Build(context.Background(), "/r/over", builder.Options{Analyze: true}); err != nil || len(result.Resources) != 2 {
		t.Errorf("the whole build has %d resources, %v", len(result.Resources), err)
	}
	check("the base is remembered", watch(over, onlyX), []string{"/r/over base-x"})
	check("the base is looked at", watch(base, onlyX), []string{"/r/base x", "/r/over base-x"})
	check("without a focus", watch("", nil), all)
	if result, err := session.Build(context.Background(), "/r/over", builder.Options{}); err != nil || len(result.Resources) != 2 {
		t.Errorf("at the end the whole build has %d resources, %v", len(result.Resources), err)
	}
}
