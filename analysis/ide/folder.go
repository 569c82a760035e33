package ide

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// FolderOf returns the nearest folder that has a kustomization file, among that of
// the file and those above.
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

// IsKustomization tells whether a file is read as a kustomization, by its name.
func IsKustomization(path string) bool { return isKustomizationName(path) }
