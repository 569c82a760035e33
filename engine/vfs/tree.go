package vfs

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Tree is a file system in memory whose files can be replaced while others read it:
// the files that a web page hands to the server in its worker, and those of tests.
// Folders are those that the paths of files imply, and the root.
type Tree struct {
	mutex sync.RWMutex
	files map[string][]byte
	// children are the names in each folder, true for those that are folders.
	children map[string]map[string]bool
}

// NewTree returns a file system without files.
func NewTree() *Tree {
	return &Tree{files: map[string][]byte{}, children: map[string]map[string]bool{string(filepath.Separator): {}}}
}

// Memory returns a file system that holds the given files, by absolute path.
func Memory(files map[string][]byte) Source {
	t := NewTree()
	for path, data := range files {
		t.Put(path, data)
	}
	return t
}

// Put writes a file at an absolute path and keeps the data, which must not be changed
// afterwards. A file that stands where the path needs a folder goes, and so does a
// folder at the path itself.
func (t *Tree) Put(path string, data []byte) {
	path = filepath.Clean(path)
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.remove(path)
	t.files[path] = data
	isFolder := false
	for child := path; ; {
		parent := filepath.Dir(child)
		if parent == child {
			return
		}
		if t.children[parent] == nil {
			delete(t.files, parent)
			t.children[parent] = map[string]bool{}
		}
		t.children[parent][filepath.Base(child)] = isFolder
		child, isFolder = parent, true
	}
}

// Remove removes a file, or a folder with all that is in it, and the folders that are
// empty then. It does nothing where there is nothing.
func (t *Tree) Remove(path string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.remove(filepath.Clean(path))
}

// remove is Remove for callers that hold the mutex.
func (t *Tree) remove(path string) {
	for name := range t.children[path] {
		t.remove(filepath.Join(path, name))
	}
	parent := filepath.Dir(path)
	if parent == path {
		return
	}
	delete(t.files, path)
	delete(t.children, path)
	delete(t.children[parent], filepath.Base(path))
	if siblings, ok := t.children[parent]; ok && len(siblings) == 0 {
		t.remove(parent)
	}
}

// ReadFile implements Source.
func (t *Tree) ReadFile(path string) ([]byte, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	data, ok := t.files[filepath.Clean(path)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return data, nil
}

// IsDir implements Source.
func (t *Tree) IsDir(path string) (bool, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	path = filepath.Clean(path)
	if _, ok := t.files[path]; ok {
		return false, nil
	}
	if _, ok := t.children[path]; ok {
		return true, nil
	}
	return false, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
}

// ReadDir implements Source.
func (t *Tree) ReadDir(path string) ([]fs.DirEntry, error) {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	names, ok := t.children[filepath.Clean(path)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	var entries []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(names)) {
		entries = append(entries, treeEntry{name: name, dir: names[name]})
	}
	return entries, nil
}

// EvalSymlinks implements Source: there are no links.
func (t *Tree) EvalSymlinks(path string) (string, error) {
	if _, err := t.IsDir(path); err != nil {
		return "", err
	}
	return filepath.Clean(path), nil
}

// treeEntry is both the entry in a folder and the information about a file.
type treeEntry struct {
	name string
	dir  bool
}

func (e treeEntry) Name() string               { return e.name }
func (e treeEntry) IsDir() bool                { return e.dir }
func (e treeEntry) Type() fs.FileMode          { return e.Mode().Type() }
func (e treeEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e treeEntry) Size() int64                { return 0 }
func (e treeEntry) ModTime() time.Time         { return time.Time{} }
func (e treeEntry) Sys() any                   { return nil }
func (e treeEntry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}
