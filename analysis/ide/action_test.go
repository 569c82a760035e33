package ide_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/analysis/ide/action"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/rogpeppe/go-internal/diff"
)

// TestFixAll makes all safe fixes of one file, and leaves other files and other
// fixes alone.
func TestFixAll(t *testing.T) {
	tree := map[string][]byte{
		root + "/kustomization.yaml":   []byte("NamePrefix: a- # ü\r\nresources: [b, deploy.yaml]\r\npatches:\r\n- target: {kind: Deployment, name: wbe}\r\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec\", \"value\": 1}]'\r\n"),
		root + "/b/kustomization.yaml": []byte("NameSuffix: b\nresources: []\n"),
		root + "/deploy.yaml":          []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"),
	}
	scene := &scene{workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()}), tree}
	query := action.Query{File: root + "/kustomization.yaml", Only: []action.Kind{"source.fixAll"}}
	actions, err := action.At(context.Background(), scene.view, query)
	if err != nil || len(actions) != 1 || !actions[0].Costs {
		t.Fatalf("there are %d actions, %v", len(actions), err)
	}
	edit, reason, err := actions[0].Edit(context.Background())
	if err != nil || reason != "" {
		t.Fatal(reason, err)
	}
	want := strings.Replace(string(tree[query.File]), "NamePrefix", "namePrefix", 1)
	if got := scene.after(t, edit); string(got[query.File]) != want || string(got[root+"/b/kustomization.yaml"]) != string(tree[root+"/b/kustomization.yaml"]) {
		t.Errorf("it becomes %q", got[query.File])
	}
	query.Only = nil
	if actions, _ := action.At(context.Background(), scene.view, query); slices.ContainsFunc(actions, func(a *action.Action) bool { return a.Kind == action.FixAll }) {
		t.Error("it is offered though nobody asks for it")
	}
}

// TestActionsAtEveryOffset asks for actions everywhere in their fixtures, also in files
// that are cut off there, and makes them all: none breaks.
func TestActionsAtEveryOffset(t *testing.T) {
	files, err := filepath.Glob("testdata/action-*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	made := 0
	for _, file := range files {
		tree := fixtureTree(t, file)
		view := workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()})
		for name, content := range tree {
			for offset := 0; offset <= len(content); offset += 29 {
				made += makeActions(t, view, name, offset)
				if offset%4 == 0 {
					made += makeActions(t, view.Edit(name, content[:offset]), name, offset)
				}
			}
		}
	}
	if made < 100 {
		t.Errorf("only %d actions were made", made)
	}
}

func makeActions(t *testing.T, view *workspace.View, file string, offset int) (made int) {
	t.Helper()
	actions, err := action.At(context.Background(), view, action.Query{File: file, Span: text.Span{Start: offset, End: offset}, Only: []action.Kind{""}})
	if err != nil {
		t.Fatalf("actions at %s@%d: %v", file, offset, err)
	}
	seen := map[string]bool{}
	for _, a := range actions {
		if seen[a.ID] {
			t.Errorf("actions at %s@%d: two have the ID %q", file, offset, a.ID)
		}
		seen[a.ID] = true
		edit, reason, err := a.Edit(context.Background())
		if err != nil {
			t.Fatalf("%q at %s@%d: %v", a.Title, file, offset, err)
		}
		if reason == "" {
			edited(t, view, edit)
			made++
		}
	}
	return made
}

// fixtureTree is the tree of a fixture without its markers.
func fixtureTree(t *testing.T, file string) map[string][]byte {
	t.Helper()
	f, err := fixture.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string][]byte{}
	for _, part := range f.Files {
		tree[filepath.Join(root, part.Path)] = part.Data
	}
	return tree
}

// actionsAt lists the titles of the actions at a marker; a reason follows where one
// cannot be done.
func actionsAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	var titles []string
	for _, a := range actionsOf(t, scene, m) {
		title := a.Title
		if _, reason, err := a.Edit(context.Background()); err != nil {
			t.Fatal(err)
		} else if reason != "" {
			title += " (" + reason + ")"
		}
		titles = append(titles, title)
	}
	return strings.Join(titles, "; ")
}

// actionAt shows what the action of a title does: its title and a diff. The title is
// all of the marker's detail before the arrow.
func actionAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	title, _, _ := strings.Cut(m.Detail, " → ")
	for _, a := range actionsOf(t, scene, m) {
		if a.Title != title {
			continue
		}
		edit, reason, err := a.Edit(context.Background())
		if err != nil || reason != "" {
			t.Fatalf("%s: %s %v", m, reason, err)
		}
		return scene.diff(t, edit)
	}
	t.Errorf("%s: there is no such action", m)
	return ""
}

func actionsOf(t *testing.T, scene *scene, m marker) []*action.Action {
	t.Helper()
	actions, err := action.At(context.Background(), scene.view, action.Query{File: m.file, Span: text.Span{Start: m.Offset, End: m.Offset}})
	if err != nil {
		t.Fatal(err)
	}
	return actions
}

// diff shows an edit as a unified diff of the tree.
func (s *scene) diff(t *testing.T, e *workspace.Edit) string {
	t.Helper()
	after := s.after(t, e)
	var b strings.Builder
	names := maps.Clone(s.tree)
	maps.Copy(names, after)
	for _, path := range slices.Sorted(maps.Keys(names)) {
		name := strings.TrimPrefix(path, root+"/")
		was, is := "a/"+name, "b/"+name
		if _, ok := s.tree[path]; !ok {
			was = "/dev/null"
		}
		if _, ok := after[path]; !ok {
			is = "/dev/null"
		}
		if is := after[path]; was == "/dev/null" && len(is) == 0 {
			b.WriteString("--- /dev/null\n+++ b/" + name + "\n")
		}
		shown := string(diff.Diff(was, s.tree[path], is, after[path]))
		if _, shown, _ = strings.Cut(shown, "\n"); shown != "" { // without the line that names the command
			b.WriteString(shown)
		}
	}
	return b.String()
}

// after returns the tree with the edit made.
func (s *scene) after(t *testing.T, e *workspace.Edit) map[string][]byte {
	t.Helper()
	after := maps.Clone(s.tree)
	for _, f := range e.Create {
		if _, ok := after[f.Path]; ok {
			t.Errorf("%s is there already", f.Path)
		}
		after[f.Path] = []byte(f.Text)
	}
	changed, err := analysis.Apply(e.Edits, func(path string) ([]byte, error) {
		content, ok := s.tree[path]
		if !ok {
			return nil, fmt.Errorf("there is no %s", path)
		}
		return content, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(after, changed)
	for _, m := range e.Move {
		for path, content := range maps.Clone(after) {
			if rest, ok := strings.CutPrefix(path, m.From); ok && (rest == "" || rest[0] == '/') {
				delete(after, path)
				after[m.To+rest] = content
			}
		}
	}
	for _, path := range e.Delete {
		delete(after, path)
	}
	return after
}
