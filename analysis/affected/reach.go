package affected

import (
	"maps"
	"slices"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Reach returns for each of the kustomizations in the folders, absolute paths without
// symbolic links, the folders of all files that its build would look at: its own, and
// those of what it and its bases name; nil where only the build itself knows. It reads
// kustomization files, and nothing that they name.
func Reach(files *vfs.Snapshot, dirs []string) [][]string {
	r := newReader(files)
	reaches := make([][]string, len(dirs))
	for i, dir := range dirs {
		folders := map[string]bool{}
		for _, l := range r.read(dir).closure() {
			if l.astray || l.uncertain {
				folders = nil
				break
			}
			maps.Copy(folders, l.folders)
		}
		if folders != nil {
			reaches[i] = slices.Sorted(maps.Keys(folders))
		}
	}
	return reaches
}
