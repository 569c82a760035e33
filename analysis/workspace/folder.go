package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

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
func IsKustomization(path string) bool {
	return slices.Contains(kustomization.FileNames(), filepath.Base(path))
}

// FileAt returns the file at a path, or the kustomization file of the folder.
func (v *View) FileAt(path string) (string, bool) {
	isDir, err := v.files.IsDir(path)
	if errors.Is(err, fs.ErrNotExist) || err != nil {
		return "", false
	}
	if !isDir {
		return path, true
	}
	for _, name := range kustomization.FileNames() {
		file := filepath.Join(path, name)
		if isDir, err := v.files.IsDir(file); err == nil && !isDir {
			return file, true
		}
	}
	return "", false
}
