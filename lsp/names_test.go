package lsp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// stuckLinks does not return from resolving the links of some paths until it is released.
type stuckLinks struct{ *stuckSource }

func (s stuckLinks) EvalSymlinks(path string) (string, error) {
	s.wait(path)
	return s.Source.EvalSymlinks(path)
}

func (s stuckLinks) ReadFile(path string) ([]byte, error) { return s.Source.ReadFile(path) }

// TestStuckLink opens, changes and saves a file on a disk that does not answer, and asks
// about it: all that is about other files is answered, the request can be cancelled, and
// once the disk answers, what was typed meanwhile counts.
func TestStuckLink(t *testing.T) {
	tree := map[string]string{"stuck/kustomization.yaml": "resources: []\n"}
	for name, content := range shop {
		tree[name] = content
	}
	source := stuckLinks{newStuckSource(tree, func(path string) bool { return strings.HasPrefix(path, root+"/stuck/") })}
	e := open(t, setup{source: source, tree: tree, folders: []string{root + "/overlay"}})
	e.open("stuck/kustomization.yaml")
	<-source.asked
	e.replace("stuck/kustomization.yaml", "[]", "[gone.yaml]")
	e.must(e.server.DidSave(e.context(), &protocol.DidSaveTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("stuck/kustomization.yaml")}}))
	e.must(e.server.DidChangeWatchedFiles(e.context(), &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{{URI: e.uri("stuck/more.yaml"), Type: protocol.FileChangeTypeCreated}}}))
	hovering, cancel := context.WithCancel(e.context())
	hovered := make(chan error, 1)
	go func() {
		_, err := e.server.Hover(hovering, &protocol.HoverParams{TextDocumentPositionParams: e.at("stuck/kustomization.yaml", "resources")})
		hovered <- err
	}()
	e.open("overlay/kustomization.yaml")
	if got := e.hover("overlay/kustomization.yaml", "wbe"); !strings.Contains(got, "did you mean web?") {
		t.Errorf("the hover beside it says %q", got)
	}
	e.expect(typo)
	cancel()
	if err := <-hovered; err == nil {
		t.Error("the hover in the file that cannot be found was answered")
	}
	close(source.released)
	e.expect(typo, "stuck/kustomization.yaml:0:12 error missing-path")
	e.quit()
}

// TestTwoNamesOfOneFile opens one file under its name and under that of a link, with other
// texts: each is asked about by its own text, what was changed last is what is checked,
// and closing one leaves the other.
func TestTwoNamesOfOneFile(t *testing.T) {
	dir := onDisk(t, shop)
	if err := os.Symlink(filepath.Join(dir, "overlay"), filepath.Join(dir, "alias")); err != nil {
		t.Skip(err)
	}
	one, other := filepath.Join(dir, "overlay/kustomization.yaml"), filepath.Join(dir, "alias/kustomization.yaml")
	text := shop["overlay/kustomization.yaml"]
	e := open(t, setup{source: vfs.Disk(), folders: []string{dir}})
	e.open(one, text)
	e.expectBelow(dir, typo)
	e.open(other, "# above\n# it\n"+strings.Replace(text, "wbe", "web", 1))
	e.expectBelow(dir)
	e.replace(other, "name: web", "name: wob")
	const moved = "alias/kustomization.yaml:7:10 warning patch-no-target"
	e.expectBelow(dir, moved)
	if got := e.hover(other, "wob"); !strings.Contains(got, "did you mean web?") {
		t.Errorf("the hover in the link says %q", got)
	}
	if got := e.hover(one, "wbe"); !strings.Contains(got, "did you mean web?") {
		t.Errorf("the hover in the file says %q", got)
	}
	e.replace(one, "name: wbe", "name:  wbe")
	e.expectBelow(dir, strings.Replace(typo, "5:10", "5:11", 1))
	e.close(one)
	e.expectBelow(dir, moved)
	e.replace(other, "name: wob", "name: web")
	e.expectBelow(dir)
	e.close(other)
	e.expectBelow(dir, typo) // as it is on disk
	e.quit()
}

// TestPreviewInLinkedFolder has a folder for temporary files that is a link: a line of a
// preview in it is explained all the same, under the name that the server gave.
func TestPreviewInLinkedFolder(t *testing.T) {
	dir := onDisk(t, shop)
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	e := open(t, setup{source: vfs.Disk(), folders: []string{filepath.Join(dir, "base"), filepath.Join(dir, "overlay")},
		options: func(o *lsp.Options) { o.Scratch = &folderScratch{link} }})
	preview := e.preview(map[string]any{"uri": e.uri(dir + "/base/kustomization.yaml")})
	if preview.File == "" {
		t.Fatal("there is no file")
	}
	e.buffers[uri.URI(preview.File).FsPath()] = preview.Text
	if got := e.hover(uri.URI(preview.File).FsPath(), "replicas"); !strings.Contains(got, "deploy.yaml") {
		t.Errorf("the hover says %q", got)
	}
	if got := e.definition(uri.URI(preview.File).FsPath(), "replicas"); len(got) != 1 || !strings.Contains(got[0], "base/deploy.yaml:4") {
		t.Errorf("the definition is %q", got)
	}
	e.quit()
}

// folderScratch keeps temporary files in a folder.
type folderScratch struct{ dir string }

func (s *folderScratch) Write(name string, content []byte) (string, error) {
	path := filepath.Join(s.dir, name)
	return path, os.WriteFile(path, content, 0o644)
}

func (s *folderScratch) Close() error { return nil }

// TestSettingsOfAnAddedFolder adds a workspace folder that has settings of its own.
func TestSettingsOfAnAddedFolder(t *testing.T) {
	e := open(t, setup{tree: two, folders: []string{root + "/one"},
		settings: map[string]string{root + "/two": `{"classes": {"patches": false}}`},
		capabilities: func(c *protocol.ClientCapabilities) {
			c.Workspace = &protocol.WorkspaceClientCapabilities{Configuration: new(true)}
		}})
	e.expect("one"+old, "one"+target)
	e.must(e.server.DidChangeWorkspaceFolders(e.context(), &protocol.DidChangeWorkspaceFoldersParams{
		Event: protocol.WorkspaceFoldersChangeEvent{Added: []protocol.WorkspaceFolder{{URI: e.uri("two"), Name: "two"}}}}))
	e.expect("one"+old, "one"+target, "two"+old)
	e.quit()
}

// TestOneAnswerOfVerdicts holds the verdicts that the server sends against those that the
// command answers, where a base is mended by its overlay, a comment suppresses nothing and
// what a component does is of use in one of two roots.
func TestOneAnswerOfVerdicts(t *testing.T) {
	tree := map[string]string{
		"base/kustomization.yaml":      "resources: [deploy.yaml]\n# kls:ignore unused-field\nnamePrefix: a-\n",
		"base/deploy.yaml":             "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers:\n      - name: web\n        image: web\n        envFrom:\n        - configMapRef: {name: settings}\n",
		"component/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nimages:\n- name: extra\n  newTag: v1\n",
		"one/kustomization.yaml":       "resources: [../base]\ncomponents: [../component]\nconfigMapGenerator:\n- name: settings\n  literals: [a=b]\n",
		"two/kustomization.yaml":       "resources: [../base, extra.yaml]\ncomponents: [../component]\n",
		"two/extra.yaml":               "apiVersion: v1\nkind: Pod\nmetadata:\n  name: extra\nspec:\n  containers:\n  - name: extra\n    image: extra\n",
		"three/kustomization.yaml":     "resources: [gone.yaml]\n",
		"four/kustomization.yaml":      "resources: ['https://github.com/a/b//c?ref=v1']\n",
	}
	e := open(t, setup{tree: tree, initial: map[string]any{"verdicts": true}, options: withSchemas})
	var sent []map[string]any
	if !e.wait(func() bool {
		var params struct{ Roots []map[string]any }
		if len(e.verdicts) == 0 || json.Unmarshal([]byte(e.verdicts[len(e.verdicts)-1]), &params) != nil {
			return false
		}
		sent = params.Roots
		return len(sent) == 5
	}) {
		t.Fatalf("sent are %v", e.verdicts)
	}
	problems := 0
	for _, want := range sent {
		folder := strings.TrimPrefix(want["root"].(string), "file://")
		answer, err := e.server.ExecuteCommand(e.context(), &protocol.ExecuteCommandParams{Command: "kls.verdicts",
			Arguments: []protocol.LSPAny{protocol.LSPAny(`{"uri": "` + string(e.uri(folder+"/kustomization.yaml")) + `"}`)}})
		e.must(err)
		var list []map[string]any
		e.must(json.Unmarshal(answer, &list))
		if len(list) == 0 || !sameJSON(list[0], want) {
			t.Errorf("the command answers %v, and sent is %v", list, want)
		}
		if because := map[string]string{"/three": "gone.yaml", "/four": "github.com"}[folder[strings.LastIndex(folder, "/"):]]; because == "" && want["reason"] != nil ||
			because != "" && !strings.Contains(fmt.Sprint(want["reason"]), because) {
			t.Errorf("%s is said to be %v because of %v", folder, want["verdict"], want["reason"])
		}
		problems += int(want["errors"].(float64) + want["warnings"].(float64))
	}
	if problems == 0 {
		t.Error("there is nothing wrong to count")
	}
	e.quit()
}

func sameJSON(a, b any) bool {
	one, _ := json.Marshal(a)
	other, _ := json.Marshal(b)
	return string(one) == string(other)
}

// TestOptionsForWhoAskedForThem has clients that cannot read more than true: the protocol
// has options for those alone that say so.
func TestOptionsForWhoAskedForThem(t *testing.T) {
	plain := open(t, setup{tree: shop})
	if plain.result.Capabilities.RenameProvider != protocol.Boolean(true) || plain.result.Capabilities.CodeActionProvider != protocol.Boolean(true) {
		t.Errorf("offered are %v and %v", plain.result.Capabilities.RenameProvider, plain.result.Capabilities.CodeActionProvider)
	}
	plain.quit()
	asking := open(t, setup{tree: shop, capabilities: func(c *protocol.ClientCapabilities) {
		c.TextDocument.Rename = &protocol.RenameClientCapabilities{PrepareSupport: new(true)}
		c.TextDocument.CodeAction = &protocol.CodeActionClientCapabilities{CodeActionLiteralSupport: protocol.ClientCodeActionLiteralOptions{
			CodeActionKind: protocol.ClientCodeActionKindOptions{ValueSet: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix}}}}
	}})
	rename, _ := asking.result.Capabilities.RenameProvider.(*protocol.RenameOptions)
	actions, _ := asking.result.Capabilities.CodeActionProvider.(*protocol.CodeActionOptions)
	if rename == nil || rename.PrepareProvider == nil || !*rename.PrepareProvider || actions == nil || len(actions.CodeActionKinds) == 0 {
		t.Errorf("offered are %v and %v", asking.result.Capabilities.RenameProvider, asking.result.Capabilities.CodeActionProvider)
	}
	asking.quit()
}
