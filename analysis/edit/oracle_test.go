package edit

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"sigs.k8s.io/kustomize/api/types"
)

// sameForKustomize holds what kustomize itself reads from a text against what it
// should read.
func sameForKustomize(t *testing.T, content string, want types.Kustomization) {
	t.Helper()
	var got types.Kustomization
	if err := got.Unmarshal([]byte(content)); err != nil && content != "" {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Errorf("kustomize reads something else (- wanted, + read)\n%s", diff)
	}
}
