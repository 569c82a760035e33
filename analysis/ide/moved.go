package ide

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// moves say where files and folders go.
type moves []workspace.Move

// to returns the path that a path becomes.
func (m moves) to(path string) string {
	for _, one := range m {
		if vfs.Below(one.From, path) {
			return one.To + path[len(one.From):]
		}
	}
	return path
}

// from returns the path that becomes a path; false where nothing does any more.
func (m moves) from(path string) (string, bool) {
	for _, one := range m {
		if vfs.Below(one.To, path) {
			return one.From + path[len(one.To):], true
		}
	}
	for _, one := range m {
		if vfs.Below(one.From, path) {
			return path, false
		}
	}
	return path, true
}

// movedFiles is a vfs.Source with the files of a snapshot at the places that they are
// moved to.
type movedFiles struct {
	files *vfs.Snapshot
	moves moves
}

// ReadFile implements vfs.Source.
func (m movedFiles) ReadFile(path string) ([]byte, error) {
	from, ok := m.moves.from(path)
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	f, err := m.files.ReadFile(from)
	if err != nil {
		return nil, err
	}
	return f.Data, nil
}

// IsDir implements vfs.Source. The folders above the new places are there, too.
func (m movedFiles) IsDir(path string) (bool, error) {
	from, ok := m.moves.from(path)
	if ok {
		isDir, err := m.files.IsDir(from)
		if err == nil {
			return isDir, nil
		}
	}
	if slices.ContainsFunc(m.moves, func(one workspace.Move) bool { return one.To != path && vfs.Below(path, one.To) }) {
		return true, nil
	}
	return false, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
}

// ReadDir implements vfs.Source.
func (m movedFiles) ReadDir(path string) ([]fs.DirEntry, error) {
	from, ok := m.moves.from(path)
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	entries, err := m.files.ReadDir(from)
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(slices.Clone(entries), func(e fs.DirEntry) bool {
		_, there := m.moves.from(filepath.Join(path, e.Name()))
		return !there
	})
	for _, one := range m.moves {
		if filepath.Dir(one.To) == path {
			if isDir, err := m.files.IsDir(one.From); err == nil {
				entries = append(entries, movedEntry{filepath.Base(one.To), isDir})
			}
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// EvalSymlinks implements vfs.Source.
func (m movedFiles) EvalSymlinks(path string) (string, error) {
	from, ok := m.moves.from(path)
	if !ok {
		return "", &fs.PathError{Op: "resolve", Path: path, Err: fs.ErrNotExist}
	}
	real, err := m.files.EvalSymlinks(from)
	if err != nil {
		if isDir, _ := m.IsDir(path); isDir {
			return path, nil
		}
		return "", err
	}
	return m.moves.to(real), nil
}

// movedEntry is what a folder has of something that was moved there.
type movedEntry struct {
	name  string
	isDir bool
}

func (e movedEntry) Name() string               { return e.name }
func (e movedEntry) IsDir() bool                { return e.isDir }
func (e movedEntry) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

func (e movedEntry) Type() fs.FileMode {
	if e.isDir {
		return fs.ModeDir
	}
	return 0
}
