package ide_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// The verbs of renames:
//
//	^ rename NEW → NAME     with that name, want/NAME.md is what changes
//	^ refuses NEW → REASON  that name is refused
//	^ renames TEXT          what would be renamed there, or (why) not
//	^ moves FROM=TO → NAME  when one path becomes another, want/NAME.md is what changes
func init() {
	verbs["rename"] = verb{answer: renameAt, golden: true}
	verbs["refuses"] = verb{answer: refusalAt}
	verbs["renames"] = verb{answer: renamableAt}
	verbs["moves"] = verb{answer: movesAt, golden: true}
}

func renameAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	name, _, _ := strings.Cut(m.Detail, " → ")
	edit, reason, err := ide.Rename(context.Background(), scene.view, m.file, m.Offset, name)
	if err != nil || reason != "" {
		t.Errorf("%s: %s %v", m, reason, err)
		return ""
	}
	return scene.diff(t, edit)
}

func refusalAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	name, _, _ := strings.Cut(m.Detail, " → ")
	edit, reason, err := ide.Rename(context.Background(), scene.view, m.file, m.Offset, name)
	if err != nil {
		t.Fatal(err)
	}
	if reason == "" {
		t.Errorf("%s: it is done\n%s", m, scene.diff(t, edit))
	}
	return name + " → " + reason
}

func renamableAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	r, reason, err := ide.PrepareRename(context.Background(), scene.view, m.file, m.Offset)
	if err != nil {
		t.Fatal(err)
	}
	if reason != "" {
		return "(" + reason + ")"
	}
	if !r.Span.Contains(m.Offset) {
		t.Errorf("%s: it stands at %v", m, r.Span)
	}
	return r.Text
}

// movesAt moves FROM to TO, both relative to the root of the tree: FROM=TO.
func movesAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	paths, _, _ := strings.Cut(m.Detail, " → ")
	from, to, _ := strings.Cut(paths, "=")
	edits, err := ide.MoveFiles(context.Background(), scene.view, []workspace.Move{{From: root + "/" + from, To: root + "/" + to}})
	if err != nil {
		t.Fatal(err)
	}
	return scene.diff(t, &workspace.Edit{Edits: edits})
}

// TestRenameInOddText renames in files with carriage returns, a byte order mark, several
// documents, anchors, and a mistake elsewhere in the file.
func TestRenameInOddText(t *testing.T) {
	tree := map[string][]byte{
		root + "/kustomization.yaml": []byte("resources:\r\n- all.yaml\r\npatches:\r\n- target: {kind: Service, name: \"web\"}\r\n  patch: |-\r\n    - {op: add, path: /spec, value: {}}\r\nimages: [\r\n"),
		root + "/all.yaml":           []byte("\ufeff# größe 💙\r\nkind: Service\r\napiVersion: v1\r\nmetadata:\r\n  name: &n 'web'\r\n---\r\nkind: Pod\r\napiVersion: v1\r\nmetadata:\r\n  name: web\r\n"),
	}
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()})
	offset := strings.Index(string(tree[root+"/all.yaml"]), "web'")
	edit, reason, err := ide.Rename(context.Background(), view, root+"/all.yaml", offset, "front")
	if err != nil || reason != "" {
		t.Fatal(reason, err)
	}
	after := (&scene{view, tree}).after(t, edit)
	for path, content := range tree {
		want := strings.Replace(strings.Replace(string(content), "'web'", "'front'", 1), `"web"`, `"front"`, 1)
		if got := string(after[path]); got != want {
			t.Errorf("%s:\n got %q\nwant %q", path, got, want)
		}
	}
}
