package builder_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// What is known of a large value that several overlays have in common is not taken for what is known of the rest: the
// overlay in which something cannot be printed says so, whichever is asked first.
func TestPrintabilityOfSharedParts(t *testing.T) {
	spec := strings.Builder{}
	for i := range 100 {
		fmt.Fprintf(&spec, "  key-%d: value\n", i)
	}
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/r/base/kustomization.yaml": []byte("resources: [x.yaml]\n"),
		"/r/base/x.yaml":             []byte("apiVersion: example.com/v1\nkind: X\nmetadata: {name: x}\nspec:\n" + spec.String()),
		"/r/good/kustomization.yaml": []byte("resources: [../base]\nnamePrefix: a-\n"),
		"/r/beside/kustomization.yaml": []byte("resources: [../base]\npatches:\n- target: {kind: X}\n" +
			"  patch: |-\n    - {op: add, path: /metadata/" + strings.Repeat("a", 1100) + ", value: b}\n"),
		"/r/inside/kustomization.yaml": []byte("resources: [../base]\npatches:\n- target: {kind: X}\n" +
			"  patch: |-\n    - {op: add, path: /spec/" + strings.Repeat("a", 1100) + ", value: b}\n"),
	}))
	for _, order := range [][]string{{"good", "beside", "inside"}, {"inside", "beside", "good"}} {
		session := builder.NewSession(files).Remember(1000)
		for _, dir := range order {
			result, err := session.Build(t.Context(), "/r/"+dir, builder.Options{Analyze: true})
			if err != nil {
				t.Fatal(err)
			}
			problems, err := result.Unprintable(t.Context())
			if err != nil || (len(problems) == 0) != (dir == "good") {
				t.Errorf("%s: %d problems, %v", dir, len(problems), err)
			}
		}
	}
}
