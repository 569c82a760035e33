package workspace_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestConfigurationIsFollowed types a configuration and a comment: both count at
// once, for roots that nothing else touched.
func TestConfigurationIsFollowed(t *testing.T) {
	const service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n"
	kustomization := "resources: [../web.yaml]\nimages:\n- name: nowhere\n  newTag: '1'\n"
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		root + "/a/kustomization.yaml": []byte(kustomization),
		root + "/web.yaml":             []byte(service),
	}))
	view := workspace.New(files, []string{root}, analysis.Options{Rules: rules.All(), Config: config.New(files),
		BuildOf: func(c config.Build) builder.Options { return builder.Options{LoadRestrictor: c.LoadRestrictor} }})
	expect := func(step string, want ...string) {
		t.Helper()
		list := phases(t, view, nil)
		var got []string
		for _, d := range list[len(list)-1].Diagnostics {
			got = append(got, d.Severity.String()+" "+d.Rule)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %v, want %v", step, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s: %v, want %v", step, got, want)
			}
		}
	}
	expect("without a configuration", "error outside-root")
	view = view.Edit(root+"/.kls.yaml", []byte("build: {loadRestrictor: LoadRestrictionsNone}"))
	expect("with a build option", "warning image-no-match")
	view = view.Edit(root+"/.kls.yaml", []byte("build: {loadRestrictor: LoadRestrictionsNone}\nrules: {image-no-match: hint}"))
	expect("with a severity", "hint image-no-match")
	view = view.Edit(root+"/a/kustomization.yaml", []byte("# kls:ignore-file image-no-match why\n"+kustomization))
	expect("with a comment")
	view = view.Edit(root+"/.kls.yaml", nil)
	expect("without the configuration", "warning unused-suppression", "error outside-root")
}
