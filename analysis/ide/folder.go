package ide

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// FolderOf returns the nearest folder above a file that has a kustomization file,
// or that is the file's own where it is one.
func FolderOf(files *vfs.Snapshot, path string) (string, bool) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		for _, name := range kustomization.FileNames() {
			if isDir, err := files.IsDir(filepath.Join(dir, name)); err == nil && !isDir {
				return dir, true
			}
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
}
