package ide_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestReferencesFromEarlierBuilds edits the base of many overlays, and one overlay, and asks for what all mention. What is
// found is what a view finds that begins anew, and overlays far away are built only where the edit can have changed
// what they mention.
func TestReferencesFromEarlierBuilds(t *testing.T) {
	const count = 60
	deploy, far := filepath.Join(root, "base/deploy.yaml"), filepath.Join(root, "overlays/o0050/patch.yaml")
	base := filepath.Join(root, "base/kustomization.yaml")
	for _, tt := range []struct {
		name      string
		file      string
		edit      func([]byte) []byte
		asked     string // what the cursor is on, in the base's deploy.yaml
		mentioned int
		most      int // builds
	}{
		{"lines above", deploy, func(text []byte) []byte { return append([]byte("# a\n# b\n"), text...) }, "name: web", count + 2, 20},
		{"an unrelated field", deploy, func(text []byte) []byte { return bytes.Replace(text, []byte("replicas: 1"), []byte("replicas: 5"), 1) }, "name: web", count + 2, 20},
		{"the name itself", deploy, func(text []byte) []byte { return bytes.Replace(text, []byte("name: web"), []byte("name: other"), 1) }, "name: other", 1, 2 * count},
		{"the name becomes a part of what it was", deploy, func(text []byte) []byte { return bytes.Replace(text, []byte("name: web"), []byte("name: we"), 1) }, "name: we", 1, 2 * count},
		{"the name is in a moved line and another", deploy, func(text []byte) []byte {
			return bytes.Replace(text, []byte("metadata:\n  name: web"), []byte("metadata:\n  labels: {a: b}\n  name: web"), 1)
		}, "name: web", count + 2, 20},
		{"a patch far away", far, func(text []byte) []byte { return bytes.Replace(text, []byte("name: web"), []byte("name: wbe"), 1) }, "name: web", count + 1, 20},
		{"a patch far away moves", far, func(text []byte) []byte { return append([]byte("# a\n"), text...) }, "name: web", count + 2, 20},
		{"the base drops it", base, func(text []byte) []byte { return bytes.Replace(text, []byte("- deploy.yaml\n"), nil, 1) }, "name: web", 0, 2 * count},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var builds atomic.Int32
			files := vfs.NewSnapshot(vfs.Memory(overlays(count)))
			newView := func() *workspace.View {
				options := analysis.Options{Rules: rules.All(), Config: config.New(files), BuildOf: func(config.Build) builder.Options {
					builds.Add(1)
					return builder.Options{}
				}}
				return workspace.New(files, []string{root}, options)
			}
			view := newView()
			if err := view.Check(t.Context(), nil, func(*workspace.PartialReport) {}); err != nil {
				t.Fatal(err)
			}
			f, err := files.ReadFile(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			content := tt.edit(bytes.Clone(f.Data))
			if bytes.Equal(content, f.Data) {
				t.Fatal("nothing was edited")
			}
			builds.Store(0)
			got := referencesOf(t, view.Edit(tt.file, content), deploy, tt.asked)
			if n := int(builds.Load()); n > tt.most {
				t.Errorf("%d builds, of at most %d", n, tt.most)
			}
			if want := referencesOf(t, newView().Edit(tt.file, content), deploy, tt.asked); !slices.Equal(got, want) {
				t.Errorf("found are %d\n%v\nfrom scratch %d\n%v", len(got), got, len(want), want)
			}
			if len(got) != tt.mentioned {
				t.Errorf("found are %d, not %d: %v", len(got), tt.mentioned, got)
			}
		})
	}
}

func referencesOf(t *testing.T, view *workspace.View, file, asked string) []ide.Reference {
	t.Helper()
	f, err := view.Files().ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found, err := ide.References(context.Background(), view, file, bytes.Index(f.Data, []byte(asked))+len("name: "))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
