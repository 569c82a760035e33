package vfs

import (
	"io/fs"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// Memory returns a file system that holds the given files, by absolute path.
// Folders are those that the paths imply.
func Memory(files map[string][]byte) Source {
	m := memory{files: map[string][]byte{}, dirs: map[string]map[string]bool{string(filepath.Separator): {}}}
	for path, data := range files {
		path = filepath.Clean(path)
		m.files[path] = data
		for child := path; ; {
			parent := filepath.Dir(child)
			if parent == child {
				break
			}
			if m.dirs[parent] == nil {
				m.dirs[parent] = map[string]bool{}
			}
			m.dirs[parent][filepath.Base(child)] = true
			child = parent
		}
	}
	return m
}

type memory struct {
	files map[string][]byte
	dirs  map[string]map[string]bool // folder to the names in it
}

func (m memory) ReadFile(path string) ([]byte, error) {
	data, ok := m.files[filepath.Clean(path)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return data, nil
}

func (m memory) IsDir(path string) (bool, error) {
	path = filepath.Clean(path)
	if _, ok := m.files[path]; ok {
		return false, nil
	}
	if _, ok := m.dirs[path]; ok {
		return true, nil
	}
	return false, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
}

func (m memory) ReadDir(path string) ([]fs.DirEntry, error) {
	path = filepath.Clean(path)
	names, ok := m.dirs[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	var entries []fs.DirEntry
	for name := range names {
		_, isFile := m.files[filepath.Join(path, name)]
		entries = append(entries, memoryEntry{name: name, dir: !isFile})
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	return entries, nil
}

func (m memory) EvalSymlinks(path string) (string, error) {
	if _, err := m.IsDir(path); err != nil {
		return "", err
	}
	return filepath.Clean(path), nil
}

// memoryEntry is both the folder entry and the file info of a memory file.
type memoryEntry struct {
	name string
	dir  bool
}

func (e memoryEntry) Name() string               { return strings.TrimSuffix(e.name, "/") }
func (e memoryEntry) IsDir() bool                { return e.dir }
func (e memoryEntry) Type() fs.FileMode          { return e.Mode().Type() }
func (e memoryEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e memoryEntry) Size() int64                { return 0 }
func (e memoryEntry) ModTime() time.Time         { return time.Time{} }
func (e memoryEntry) Sys() any                   { return nil }
func (e memoryEntry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}
