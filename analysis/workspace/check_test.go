package workspace_test

import (
	"context"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

const root = "/tree"

// TestCheckInTwoPhases edits two roots of which one is looked at: its findings come
// first, and nothing that was found elsewhere seems to be gone meanwhile.
func TestCheckInTwoPhases(t *testing.T) {
	const mistake = "bases: []\nresources: [nothing.yaml]\n"
	files := map[string][]byte{
		root + "/a/kustomization.yaml": []byte(mistake),
		root + "/b/kustomization.yaml": []byte(mistake),
		root + "/c/kustomization.yaml": []byte(mistake),
		// No root includes it: it is checked alone, after all roots.
		root + "/component/kustomization.yaml": []byte("kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\nbases: []\n"),
	}
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(files)), []string{root}, analysis.Options{Rules: rules.All()})
	all := phases(t, view, nil)
	if len(all) != 1 || len(filesOf(all[0])) != 4 {
		t.Fatalf("the first check found mistakes in %v", filesOf(all[0]))
	}
	view = view.Edit(root+"/a/kustomization.yaml", []byte("namePrefix: a-\n")).Edit(root+"/b/kustomization.yaml", []byte("namePrefix: b-\n"))
	list := phases(t, view, []string{root + "/a/kustomization.yaml"})
	if len(list) != 2 {
		t.Fatalf("the check had %d phases", len(list))
	}
	first, last := list[0], list[1]
	if !first.Settled(root+"/a/kustomization.yaml") || first.Settled(root+"/b/kustomization.yaml") {
		t.Error("the first findings are not those of the root that is looked at")
	}
	for file := range files {
		if was, is := filesOf(first)[file], filesOf(last)[file]; first.Settled(file) && was != is {
			t.Errorf("%s has %d diagnostics at first, and %d in the end", file, was, is)
		}
	}
	if got := filesOf(last); len(got) != 2 || got[root+"/component/kustomization.yaml"] == 0 {
		t.Errorf("in the end there are mistakes in %v", got)
	}
}

// TestCheckTellsOfFilesThatNothingIncludes creates a file, edits another, and adds
// the first: only when all is checked it is known that nothing includes it.
func TestCheckTellsOfFilesThatNothingIncludes(t *testing.T) {
	const config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	kustomization, stray := root+"/a/kustomization.yaml", root+"/a/stray.yaml"
	files := map[string][]byte{
		kustomization:                  []byte("resources: [config.yaml]\n"),
		root + "/a/config.yaml":        []byte(config),
		root + "/b/kustomization.yaml": []byte("resources: [../a]\n"),
	}
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(files)), []string{root}, analysis.Options{Rules: rules.All()})
	for _, step := range []struct {
		path, text string
		want       int
	}{
		{stray, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n", 1},
		{root + "/b/kustomization.yaml", "namePrefix: b-\n", 1},
		{kustomization, "resources: [config.yaml, stray.yaml]\n", 0},
	} {
		view = view.Edit(step.path, []byte(step.text))
		list := phases(t, view, []string{step.path})
		for i, f := range list {
			last := i == len(list)-1
			if got := filesOf(f)[stray]; last && got != step.want || !last && f.Settled(stray) && got != step.want {
				t.Errorf("after the edit of %s, phase %d has %d findings in it, not %d", step.path, i, got, step.want)
			}
		}
	}
}

func phases(t *testing.T, view *workspace.View, first []string) []*workspace.PartialReport {
	t.Helper()
	var list []*workspace.PartialReport
	if err := view.Check(context.Background(), first, func(f *workspace.PartialReport) { list = append(list, f) }); err != nil {
		t.Fatal(err)
	}
	return list
}

func filesOf(f *workspace.PartialReport) map[string]int {
	byFile := map[string]int{}
	for _, d := range f.Diagnostics {
		byFile[d.File]++
	}
	return byFile
}

// TestFolderOf looks upward for a kustomization.
func TestFolderOf(t *testing.T) {
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{"/a/kustomization.yml": nil, "/a/b/c/x.yaml": nil, "/d/x.yaml": nil}))
	for path, want := range map[string]string{"/a/b/c/x.yaml": "/a", "/a/kustomization.yml": "/a", "/d/x.yaml": ""} {
		if got, ok := workspace.FolderOf(files, path); got != want || ok != (want != "") {
			t.Errorf("FolderOf(%s) = %q", path, got)
		}
	}
}

// TestNothingChanged opens, saves and closes a file without typing anything, and creates
// it anew on disk while it is open: nothing has to be built again. Once the text is
// another than that on disk, each step but saving shows something else.
func TestNothingChanged(t *testing.T) {
	path := root + "/base/all.yaml"
	const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	files := map[string][]byte{
		path:                              []byte(text),
		root + "/base/kustomization.yaml": []byte("resources: [all.yaml]\n"),
		root + "/over/kustomization.yaml": []byte("resources: [../base]\n"),
	}
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(files)), []string{root}, analysis.Options{Rules: rules.All()})
	checked(t, view)
	for _, step := range []struct {
		what  string
		do    func(*workspace.View) *workspace.View
		stays bool
	}{
		{"open", func(v *workspace.View) *workspace.View { return v.Edit(path, []byte(text)) }, true},
		{"save", func(v *workspace.View) *workspace.View { return v.Changed(path) }, true},
		{"type", func(v *workspace.View) *workspace.View { return v.Edit(path, []byte(text+"data: {}\n")) }, false},
		{"save what is not on disk", func(v *workspace.View) *workspace.View { return v.Changed(path) }, true},
		{"close without saving", func(v *workspace.View) *workspace.View { return v.Edit(path, nil) }, false},
		{"open again", func(v *workspace.View) *workspace.View { return v.Edit(path, []byte(text)) }, true},
		{"close", func(v *workspace.View) *workspace.View { return v.Edit(path, nil) }, true},
		{"change on disk", func(v *workspace.View) *workspace.View { return v.Changed(path) }, false},
	} {
		view = step.do(view)
		if _, _, err := view.RootFor(context.Background(), root+"/over"); err != nil {
			t.Fatal(err)
		}
		if done, total := view.Progress(); total != 2 || (done == total) != step.stays {
			t.Errorf("%s: %d of %d roots stay", step.what, done, total)
		}
		checked(t, view)
	}
}

func checked(t *testing.T, view *workspace.View) {
	t.Helper()
	if err := view.Check(context.Background(), nil, func(*workspace.PartialReport) {}); err != nil {
		t.Fatal(err)
	}
}
