package builder

import (
	"testing"

	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

func TestMissingPathSuggestsWhatWasMeant(t *testing.T) {
	for name, tt := range map[string]struct{ written, want string }{
		"a letter too few":             {"deploymnt.yaml", "deployment.yaml"},
		"the other ending":             {"deployment.yml", "deployment.yaml"},
		"no ending":                    {"deployment", "deployment.yaml"},
		"a folder on the way":          {"../bsae/web.yaml", "../base/web.yaml"},
		"a folder, with a slash":       {"../bse/", "../base/"},
		"nothing near":                 {"completely-different", ""},
		"never what is listed already": {"listed2.yaml", ""},
		"never a kustomization file":   {"kustomization2.yaml", ""},
		"the rest must be there":       {"../bsae/missing.yaml", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{
				"/app/kustomization.yaml": []byte("resources: [listed.yaml, " + tt.written + "]\n"),
				"/app/deployment.yaml":    []byte("kind: A\nmetadata: {name: a}\n"),
				"/app/listed.yaml":        []byte("kind: B\nmetadata: {name: b}\n"),
				"/base/web.yaml":          []byte("kind: C\nmetadata: {name: c}\n"),
			}))
			result, err := NewSession(files).Build(t.Context(), "/app", Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, p := range result.Problems {
				if p.Code == problem.MissingPath && len(p.Fixes) > 0 {
					got = p.Fixes[0].New
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q (%v)", got, tt.want, result.Problems)
			}
		})
	}
}
