package differential

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Tree is a tree of files in memory, by path from its root with forward slashes and no leading one.
type Tree map[string][]byte

// Compare builds a folder of the tree with both; the root is ".".
func (t Tree) Compare(ctx context.Context, folder string) Comparison {
	fSys, err := t.kustomizeFiles()
	if err != nil {
		return Comparison{Kind: Broken, Kls: Outcome{Refusal: fmt.Errorf("%w: %w", errBroken, err)}}
	}
	absolute := map[string][]byte{}
	for path, text := range t {
		absolute["/"+path] = text
	}
	return Compare(ctx, vfs.Memory(absolute), fSys, "/"+strings.TrimPrefix(folder, "."))
}

// kustomizeFiles returns the tree as kustomize's file system in memory, which cannot have names with blanks.
func (t Tree) kustomizeFiles() (filesys.FileSystem, error) {
	fSys := filesys.MakeFsInMemory()
	for path, text := range t {
		if err := fSys.WriteFile("/"+path, text); err != nil {
			return nil, err
		}
	}
	return fSys, nil
}

// Kustomizations returns the folders of the tree that have a kustomization file.
func (t Tree) Kustomizations() []string {
	folders := map[string]bool{}
	for path := range t {
		folder, name := ".", path
		if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
			folder, name = path[:slash], path[slash+1:]
		}
		if isKustomizationName(name) {
			folders[folder] = true
		}
	}
	return slices.Sorted(maps.Keys(folders))
}

// isKustomizationName tells the three names that kustomize looks for.
func isKustomizationName(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, name)
}

// String prints the tree as a txtar archive, ready to be made a fixture.
func (t Tree) String() string {
	var archive txtar.Archive
	for _, path := range slices.Sorted(maps.Keys(t)) {
		archive.Files = append(archive.Files, txtar.File{Name: path, Data: t[path]})
	}
	return string(txtar.Format(&archive))
}
