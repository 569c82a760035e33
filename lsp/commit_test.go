package lsp_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
)

// TestPreviewDiffOfRepository compares unsaved text with the last commit of a real
// repository, whose work tree holds a third state that counts for neither.
func TestPreviewDiffOfRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, arguments...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
	}
	configMap := func(value string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: " + value + "}\n"
	}
	write("kustomization.yaml", "resources: [cm.yaml]\n")
	write("cm.yaml", configMap("committed"))
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	write("cm.yaml", configMap("saved"))
	e := open(t, setup{source: vfs.Disk(), folders: []string{dir}, capabilities: virtualClient, options: func(o *lsp.Options) {
		o.Commit = func(ctx context.Context, dir, ref string) (vfs.Source, func() error, error) {
			commit, err := external.OpenCommit(ctx, dir, ref)
			if err != nil {
				return nil, nil, err
			}
			return commit, commit.Close, nil
		}
	}})
	file := filepath.Join(dir, "cm.yaml")
	e.open(file, configMap("typed"))
	var d struct{ Diff struct{ Text string } }
	e.must(e.execute(&d, "kls.previewDiff", map[string]any{"uri": e.uri(file), "against": "head"}))
	if !strings.Contains(d.Diff.Text, "-  a: committed\n+  a: typed\n") {
		t.Errorf("the difference is\n%s", d.Diff.Text)
	}
	git("checkout", "-q", "--orphan", "empty")
	e.must(e.execute(&d, "kls.previewDiff", map[string]any{"uri": e.uri(file), "against": "head"}))
	if !strings.Contains(d.Diff.Text, "# The last commit cannot be read") {
		t.Errorf("without a commit the difference is\n%s", d.Diff.Text)
	}
	e.quit()
}
