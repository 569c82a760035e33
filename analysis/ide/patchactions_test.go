package ide_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/ide/action"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// TestPatchActionsOnTrees moves every patch of the examples, and of the trees that
// -trees names, into a file or out of one, and back, and converts it to the other form
// and back: kustomize renders the same after each step.
func TestPatchActionsOnTrees(t *testing.T) {
	folders := []string{"../../examples/shop", "../../examples/structured-data"}
	least := map[string]int{"extract": 1, "inline": 1, "convert": 2}
	if *trees != "" {
		folders = append(folders, *trees)
	}
	sweep := &patchSweep{t: t, done: map[string]int{}, refused: map[string]int{}}
	for i, folder := range folders {
		sweep.tree(folder, false)
		if i < 2 {
			sweep.tree(folder, true)
		}
	}
	t.Logf("made: %v", sweep.done)
	for _, reason := range slices.Sorted(maps.Keys(sweep.refused)) {
		t.Logf("not made, %d times: %s", sweep.refused[reason], reason)
	}
	for id, n := range least {
		if sweep.done[id] < n {
			t.Errorf("%s was made %d times", id, sweep.done[id])
		}
	}
}

type patchSweep struct {
	t             *testing.T
	folder        string
	windows       bool
	done, refused map[string]int
}

// tree tries all patches of a tree, with the line breaks that it has or those of Windows.
func (s *patchSweep) tree(folder string, windows bool) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		s.t.Fatal(err)
	}
	s.folder = folder
	view := workspace.New(vfs.NewSnapshot(vfs.Disk()), []string{folder}, analysis.Options{Rules: rules.All()})
	if s.windows = windows; windows {
		view = withCRLF(s.t, view, folder)
	}
	if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Base(path) == "kustomization.yaml" {
			s.kustomization(view, path)
		}
		return err
	}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *patchSweep) kustomization(view *workspace.View, path string) {
	for i := range entriesOf(view, path) {
		for _, id := range []string{"extract", "inline", "convert"} {
			back := map[string]string{"extract": "inline", "inline": "extract", "convert": "convert"}[id]
			changed := s.act(view, path, i, id, "")
			if changed == nil {
				continue
			}
			// The way back leads through what the first step made.
			if again := s.act(changed, path, i, back, "after "+id); again != nil {
				s.same(changed, again, path, id+" and back")
			}
		}
	}
}

// act makes an action at an entry, nil where it is not offered.
func (s *patchSweep) act(view *workspace.View, path string, entry int, id, when string) *workspace.View {
	entries := entriesOf(view, path)
	at := entries[entry].Span.Start
	actions, err := action.At(context.Background(), view, action.Query{File: path, Span: text.Span{Start: at, End: at}, Only: []action.Kind{"refactor"}})
	if err != nil {
		s.t.Fatal(err)
	}
	i := slices.IndexFunc(actions, func(a *action.Action) bool { return a.ID == id })
	if i < 0 {
		return nil
	}
	made, reason, err := actions[i].Edit(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	if reason != "" {
		if at := strings.LastIndex(reason, " would "); at >= 0 {
			reason = reason[at:]
		}
		if at := strings.Index(reason, " does not build"); at >= 0 {
			reason = reason[at:]
		}
		if at := strings.Index(reason, " needs what"); at >= 0 {
			reason = reason[at:]
		}
		s.refused[strings.TrimSpace(fmt.Sprintf("%s %s: %s", id, when, reason))]++
		return nil
	}
	changed := edited(s.t, view, made)
	for _, e := range made.Edits {
		if text := mustRead(s.t, changed, e.File); s.windows && bytes.Count(text, []byte("\n")) != bytes.Count(text, []byte("\r\n")) {
			s.t.Errorf("%s: %s mixes line breaks: %q", path, id, text)
		}
	}
	s.done[strings.TrimSpace(id+" "+when)]++
	s.same(view, changed, path, id)
	return changed
}

// same holds that the kustomization renders the same in both, by kustomize itself.
func (s *patchSweep) same(before, after *workspace.View, path, what string) {
	s.t.Helper()
	dir := filepath.Dir(path)
	was, is := rendered(s.t, before, s.folder, dir), rendered(s.t, after, s.folder, dir)
	if was != is {
		s.t.Errorf("%s: %s changes what is rendered\n%s", path, what, mustRead(s.t, after, path))
	}
}

// withCRLF gives every file of a folder the line breaks of Windows.
func withCRLF(t *testing.T, view *workspace.View, folder string) *workspace.View {
	t.Helper()
	if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			view = view.Edit(path, bytes.ReplaceAll(mustRead(t, view, path), []byte("\n"), []byte("\r\n")))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return view
}

func entriesOf(view *workspace.View, path string) []*edit.PatchEntry {
	content, err := view.Files().ReadFile(path)
	if err != nil {
		return nil
	}
	f, reason := edit.Open(path, content.Data)
	if reason != "" {
		return nil
	}
	return f.PatchEntries()
}

// edited is the view after an edit, but for what is deleted.
func edited(t *testing.T, view *workspace.View, e *workspace.Edit) *workspace.View {
	t.Helper()
	changed, err := analysis.Apply(e.Edits, func(path string) ([]byte, error) {
		f, err := view.Files().ReadFile(path)
		if err != nil {
			return nil, err
		}
		return f.Data, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Create {
		changed[f.Path] = []byte(f.Text)
	}
	for path, content := range changed {
		view = view.Edit(path, content)
	}
	return view
}

// rendered is what kustomize makes of the files that kls reads for a folder. Its file
// system in memory refuses some names, so that the tree has another there.
func rendered(t *testing.T, view *workspace.View, tree, dir string) string {
	t.Helper()
	result, err := builder.NewSession(view.Files()).Build(context.Background(), dir, builder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	memory := filesys.MakeFsInMemory()
	for _, path := range result.Reads.Files() {
		if f, err := view.Files().ReadFile(path); err == nil {
			if err := memory.WriteFile(root+strings.TrimPrefix(path, tree), f.Data); err != nil {
				t.Fatal(err)
			}
		}
	}
	if result.Unknown {
		text, _ := result.YAML(context.Background())
		return string(text)
	}
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(memory, root+strings.TrimPrefix(dir, tree))
	if err != nil {
		return "failed"
	}
	text, err := resources.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func mustRead(t *testing.T, view *workspace.View, path string) []byte {
	t.Helper()
	f, err := view.Files().ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return f.Data
}
