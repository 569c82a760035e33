package affected

import (
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Listing returns the same files, of which it remembers the folders that were
// listed: what is in them it then knows without asking about each name. Looking
// for roots lists all folders, and asking the system about thousands of names
// takes longer than everything else together. It is for one answer: what changes
// after a folder was listed it does not see.
func Listing(source vfs.Source) vfs.Source {
	return &listing{Source: source, folders: map[string]map[string]fs.FileMode{}}
}

type listing struct {
	vfs.Source
	mutex sync.RWMutex
	// folders has the names in each folder that was listed by a path without
	// symbolic links.
	folders map[string]map[string]fs.FileMode
}

// ReadDir is vfs.Source's.
func (l *listing) ReadDir(path string) ([]fs.DirEntry, error) {
	path = filepath.Clean(path)
	entries, err := l.Source.ReadDir(path)
	if err != nil || !l.isReal(path) {
		return entries, err
	}
	names := make(map[string]fs.FileMode, len(entries))
	for _, e := range entries {
		names[e.Name()] = e.Type()
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.folders[path] = names
	return entries, nil
}

// EvalSymlinks is vfs.Source's.
func (l *listing) EvalSymlinks(path string) (string, error) {
	path = filepath.Clean(path)
	if mode, known := l.mode(path); known && mode&fs.ModeSymlink == 0 {
		return path, nil
	}
	return l.Source.EvalSymlinks(path)
}

// IsDir is vfs.Source's.
func (l *listing) IsDir(path string) (bool, error) {
	if mode, known := l.mode(filepath.Clean(path)); known && mode&fs.ModeSymlink == 0 {
		return mode.IsDir(), nil
	}
	return l.Source.IsDir(path)
}

// mode returns what was listed of a name; it is not known where its folder was not
// listed, or did not have it.
func (l *listing) mode(path string) (mode fs.FileMode, known bool) {
	l.mutex.RLock()
	defer l.mutex.RUnlock()
	mode, known = l.folders[filepath.Dir(path)][filepath.Base(path)]
	return mode, known
}

// isReal tells whether no symbolic link is in a path.
func (l *listing) isReal(path string) bool {
	if mode, known := l.mode(path); known {
		return mode&fs.ModeSymlink == 0
	}
	real, err := l.Source.EvalSymlinks(path)
	return err == nil && real == path
}
