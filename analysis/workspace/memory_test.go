package workspace_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/gentree"
)

// TestMemoryIsBoundedAndGivenBack types for a while in a workspace of 801 resources,
// and closes it.
func TestMemoryIsBoundedAndGivenBack(t *testing.T) {
	files := map[string][]byte{}
	for path, text := range gentree.Files(200) {
		files[filepath.Join("/workspace", path)] = text
	}
	before := heap()
	name := "/workspace/" + gentree.Overlay + "/kustomization.yaml"
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(files)), []string{"/workspace"}, analysis.Options{Rules: rules.All()})
	check := func() {
		t.Helper()
		if err := view.Check(t.Context(), []string{name}, func(*workspace.PartialReport) {}); err != nil {
			t.Fatal(err)
		}
	}
	check()
	opened := heap() - before
	for i := range 40 {
		view = view.Edit(name, fmt.Appendf(nil, "%s# %d\n", files[name], i))
		check()
	}
	if typed := heap() - before; typed > 2*opened+(8<<20) {
		t.Errorf("%d KiB after opening, %d KiB after typing", opened>>10, typed>>10)
	}
	view = view.In(nil)
	check()
	if closed := heap() - before; closed > opened/3 {
		t.Errorf("%d KiB after opening, %d KiB after closing", opened>>10, closed>>10)
	}
	runtime.KeepAlive(view)
}

// TestMemoryOfManyFolders edits one folder after the other of those that an overlay
// includes: what is kept of each is its own, and not the build in which it was made.
func TestMemoryOfManyFolders(t *testing.T) {
	const folders, resources = 60, 4
	files, list := map[string][]byte{}, ""
	for i := range folders {
		dir := fmt.Sprintf("/workspace/apps/%d/", i)
		files[dir+"kustomization.yaml"] = []byte("resources: [all.yaml]\n")
		for j := range resources {
			files[dir+"all.yaml"] = fmt.Appendf(files[dir+"all.yaml"], "---\nkind: Service\napiVersion: v1\nmetadata: {name: s%d-%d}\nspec: {selector: {a: b}, ports: [{port: 80}]}\n", i, j)
		}
		list += fmt.Sprintf("- ../apps/%d\n", i)
	}
	files["/workspace/all/kustomization.yaml"] = []byte("namePrefix: a-\nresources:\n" + list)
	before := heap()
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(files)), []string{"/workspace"}, analysis.Options{Rules: rules.All()})
	check := func() {
		t.Helper()
		if err := view.Check(t.Context(), nil, func(*workspace.PartialReport) {}); err != nil {
			t.Fatal(err)
		}
	}
	check()
	opened := heap() - before
	for i := range folders {
		name := fmt.Sprintf("/workspace/apps/%d/all.yaml", i)
		view = view.Edit(name, append([]byte("# edited\n"), files[name]...))
		check()
	}
	if edited := heap() - before; edited > 2*opened+(4<<20) {
		t.Errorf("%d KiB after opening, %d KiB after editing", opened>>10, edited>>10)
	}
	runtime.KeepAlive(view)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
