package lsp_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// TestAnotherTree has a client whose files are all replaced by others at once, as when
// somebody chooses another example in a web page: the workspace folder itself has a
// kustomization now, where there was none.
func TestAnotherTree(t *testing.T) {
	tree := vfs.NewTree()
	put := func(name, content string) { tree.Put(filepath.Join(root, name), []byte(content)) }
	put("prod/kustomization.yaml", "resources: [web.yaml]\n")
	e := open(t, setup{source: tree})
	e.open("prod/kustomization.yaml", "resources: [web.yaml]\n")
	e.expect("prod/kustomization.yaml:0:12 error missing-path")

	e.close("prod/kustomization.yaml")
	tree.Remove(filepath.Join(root, "prod/kustomization.yaml"))
	put("kustomization.yaml", "resources: [web.yaml]\nnamePrefix: a-\n")
	put("web.yaml", "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n")
	e.must(e.server.DidChangeWatchedFiles(e.context(), &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{
		{URI: uri.File(filepath.Join(root, "prod/kustomization.yaml")), Type: protocol.FileChangeTypeDeleted},
		{URI: uri.File(filepath.Join(root, "kustomization.yaml")), Type: protocol.FileChangeTypeCreated},
		{URI: uri.File(filepath.Join(root, "web.yaml")), Type: protocol.FileChangeTypeCreated},
	}}))
	e.open("kustomization.yaml", "resources: [web.yaml]\nnamePrefix: a-\n")
	if got := e.hover("kustomization.yaml", "a-"); !strings.Contains(got, "a-web") {
		t.Errorf("hover of a prefix in the new tree: %q", got)
	}
}
