package builder_test

import (
	"context"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestIncoming leaves out what the root does, and nothing that its base and its
// component do: all of it ends at the same hash suffixes and references.
func TestIncoming(t *testing.T) {
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/r/over/kustomization.yaml":      []byte("resources: [../base]\ncomponents: [../component]\nnamePrefix: over-\npatches:\n- target: {kind: ConfigMap}\n  patch: |-\n    - {op: add, path: /data, value: {a: over}}\n"),
		"/r/base/kustomization.yaml":      []byte("resources: [cm.yaml]\nnamePrefix: base-\n"),
		"/r/base/cm.yaml":                 []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"),
		"/r/component/kustomization.yaml": []byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -component\n"),
	})))
	result, err := session.Build(context.Background(), "/r/over", builder.Options{Instruments: builder.Instruments{Incoming: true}})
	if err != nil || result.Failed() {
		t.Fatal(err, result.Problems)
	}
	printed, err := result.YAML(context.Background())
	if want := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: base-x-component\n"; err != nil || string(printed) != want {
		t.Errorf("%v\n%s", err, printed)
	}
}
