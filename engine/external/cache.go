package external

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// The cache holds contents under names that are made of them, and beside them
// small files that say what a name outside stood for when it was last fetched:
//
//	git/<hash of the URL>/<commit>/       the files of a commit
//	git/<hash of the URL>/refs/<hash>     the commit that a ref stood for
//	files/<hash of the URL>               the content that a URL had
//	contents/<hash>                       a content
//
// Everything is written elsewhere and renamed, so that nobody sees half of it.

// cacheDir returns the cache's folder, which need not exist.
func (r *Runner) cacheDir() (string, error) {
	if r.config.CacheDir != "" {
		return filepath.Abs(r.config.CacheDir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "kls"), nil
}

// isCached tells whether a path is in the cache.
func (r *Runner) isCached(path string) bool {
	cache, err := r.cacheDir()
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(cache); err == nil {
		cache = real
	}
	return vfs.Below(cache, path)
}

// hashed is a name for something with slashes and worse in it.
func hashed(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// temporary makes a folder that can be renamed into the cache.
func temporary(cache string) (string, error) {
	dir := filepath.Join(cache, "tmp")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, "")
}

// keepFolder moves a folder to its place. One that is there already has the same
// contents, and stays.
func keepFolder(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	err := os.Rename(from, to)
	if err != nil && isFolder(to) {
		return nil
	}
	return err
}

// keepFile writes a file to its place.
func keepFile(cache, path string, content []byte) error {
	dir, err := temporary(cache)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	from := filepath.Join(dir, "file")
	if err := os.WriteFile(from, content, 0o644); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.Rename(from, path)
}

// readName reads one of the small files; empty where there is none.
func readName(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
