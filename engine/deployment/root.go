package deployment

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// CheckoutOf returns the folder of the checkout that a path, absolute, lies in: that of
// the git repository; of a path in none, the path itself.
func CheckoutOf(files *vfs.Snapshot, path string) string {
	for dir := path; ; dir = filepath.Dir(dir) {
		if _, err := files.IsDir(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if !isFolder(files, path) {
		return filepath.Dir(path)
	}
	return path
}
