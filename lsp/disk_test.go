package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// onDisk writes a tree and returns its folder, without symbolic links.
func onDisk(t testing.TB, tree map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range tree {
		writeFile(t, filepath.Join(dir, name), content)
	}
	return dir
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// below returns what is shown, by paths below a folder.
func (e *editor) below(dir string) []string {
	var lines []string
	for _, line := range e.shown() {
		lines = append(lines, strings.TrimPrefix(line, dir+"/"))
	}
	return lines
}

func (e *editor) expectBelow(dir string, want ...string) {
	e.t.Helper()
	slices.Sort(want)
	var got []string
	if !e.wait(func() bool { got = e.below(dir); return slices.Equal(got, want) }) {
		e.t.Fatalf("shown:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestOwnWatcher has a client that tells of no changes on disk: the server finds out
// by itself what was written, moved and removed, in its folders and in a base
// outside of them.
func TestOwnWatcher(t *testing.T) {
	dir := onDisk(t, shop)
	e := open(t, setup{source: vfs.Disk(), folders: []string{dir + "/overlay"}, options: quick})
	e.expectBelow(dir, typo)
	writeFile(t, dir+"/base/deploy.yaml", strings.Replace(shop["base/deploy.yaml"], "name: web", "name: wbe", 1))
	e.expectBelow(dir)
	writeFile(t, dir+"/overlay/more/kustomization.yaml", "resources: [gone.yaml]\n")
	e.expectBelow(dir, "overlay/more/kustomization.yaml:0:12 error missing-path")
	if err := os.Rename(dir+"/overlay/more", dir+"/away"); err != nil {
		t.Fatal(err)
	}
	e.expectBelow(dir)
	if err := os.Rename(dir+"/base", dir+"/moved"); err != nil {
		t.Fatal(err)
	}
	e.expectBelow(dir, "overlay/kustomization.yaml:0:12 error missing-path")
	writeFile(t, dir+"/overlay/kustomization.yaml", strings.Replace(shop["overlay/kustomization.yaml"], "base", "moved", 1))
	e.expectBelow(dir)
	e.quit()
}

// TestCheckout changes 2,000 files at once, as another branch does, told of in one
// message and in many: the folder of each root comes, goes or changes.
func TestCheckout(t *testing.T) {
	const roots, files = 100, 20
	branch := func(name string) map[string]string {
		tree := map[string]string{}
		for r := range roots {
			var list strings.Builder
			for f := range files - 1 {
				file := fmt.Sprintf("%s-%d.yaml", name, f)
				tree[fmt.Sprintf("root%d/%s", r, file)] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s-%d}\n", name, f)
				fmt.Fprintf(&list, "- %s\n", file)
			}
			tree[fmt.Sprintf("root%d/kustomization.yaml", r)] = "resources:\n" + list.String()
		}
		return tree
	}
	for _, together := range []bool{true, false} {
		dir := onDisk(t, branch("old"))
		e := open(t, setup{source: vfs.Disk(), folders: []string{dir}, capabilities: func(c *protocol.ClientCapabilities) {
			c.Workspace = &protocol.WorkspaceClientCapabilities{DidChangeWatchedFiles: &protocol.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: new(true)}}
		}})
		e.open(dir+"/root7/kustomization.yaml", branch("old")["root7/kustomization.yaml"])
		e.settle(dir + "/root7/kustomization.yaml")
		e.expectBelow(dir)
		next := branch("new")
		delete(next, "root42/new-3.yaml")
		var events []protocol.FileEvent
		event := func(name string, kind protocol.FileChangeType) {
			events = append(events, protocol.FileEvent{URI: uri.File(filepath.Join(dir, name)), Type: kind})
		}
		for name := range branch("old") {
			if _, stays := next[name]; !stays {
				if err := os.Remove(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				event(name, protocol.FileChangeTypeDeleted)
			}
		}
		for name, content := range next {
			writeFile(t, filepath.Join(dir, name), content)
			event(name, protocol.FileChangeTypeCreated)
		}
		if len(events) < 2000 {
			t.Fatalf("only %d files change", len(events))
		}
		step := 1
		if together {
			step = len(events)
		}
		for part := range slices.Chunk(events, step) {
			e.must(e.server.DidChangeWatchedFiles(e.context(), &protocol.DidChangeWatchedFilesParams{Changes: part}))
		}
		e.close(dir + "/root7/kustomization.yaml")
		e.expectBelow(dir, "root42/kustomization.yaml:4:2 error missing-path")
		e.quit()
	}
}

// TestLargeFile opens a file of 20 MB in a tree with a mistake, and edits it: all
// that is small is answered meanwhile.
func TestLargeFile(t *testing.T) {
	size := 20 << 20
	if isRace || testing.Short() {
		size = 1 << 20
	}
	tree := map[string]string{"large/kustomization.yaml": "resources: [large.yaml]\n"}
	for name, content := range shop {
		tree[name] = content
	}
	tree["large/large.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: large}\ndata:\n  text: |\n" + strings.Repeat("    a line of a large text that somebody keeps in a ConfigMap\n", size/60)
	e := open(t, setup{tree: tree})
	e.open("large/large.yaml")
	for i := range 5 {
		e.edit("large/large.yaml", i, i, "#")
	}
	e.edit("large/large.yaml", 0, 5, "")
	e.open("overlay/kustomization.yaml")
	if got := e.hover("overlay/kustomization.yaml", "wbe"); !strings.Contains(got, "did you mean web?") {
		t.Errorf("the hover says %q", got)
	}
	e.replace("overlay/kustomization.yaml", "wbe", "web")
	e.settle("large/large.yaml")
	e.expect()
	e.quit()
}
