package vfs

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/parallel"
)

// File is one immutable version of a file.
type File struct {
	Path string
	Data []byte
	// Unsaved is true for the text of an editor's buffer.
	Unsaved bool

	hashOnce parallel.Once
	hash     [sha256.Size]byte
}

// Hash returns the SHA-256 of the contents, computed when it is first asked for.
func (f *File) Hash() [sha256.Size]byte {
	f.hashOnce.Do(func() { f.hash = sha256.Sum256(f.Data) })
	return f.hash
}

// Snapshot is one immutable view of a file system with unsaved buffers laid
// over it. A path is read from the source at most once: every later read gives
// the same *File, so a pointer stands for the contents. Safe for concurrent use.
type Snapshot struct {
	source  Source
	buffers map[string]*File
	*known
}

// known is what was read of the source. Snapshots share it that differ in the text of
// a buffer only.
type known struct {
	mu    sync.Mutex
	files map[string]*read
	links map[string]*link
	kinds map[string]*kind
	names map[string]folderNames // of folders that were listed
	lists map[string]*list
}

type read struct {
	once parallel.Once
	file *File
	err  error
	// kept is set last, where the file was read.
	kept atomic.Bool
}

type link struct {
	path string
	err  error
}

type kind struct {
	dir bool
	err error
}

type list struct {
	entries []fs.DirEntry
	err     error
}

// NewSnapshot returns a view of the source as it is, without unsaved buffers.
func NewSnapshot(source Source) *Snapshot { return newSnapshot(source, nil) }

// Fresh returns a snapshot with the same unsaved text that has read nothing yet.
func (s *Snapshot) Fresh() *Snapshot { return newSnapshot(s.source, s.buffers) }

func newSnapshot(source Source, buffers map[string]*File) *Snapshot {
	return &Snapshot{source: source, buffers: buffers,
		known: &known{files: map[string]*read{}, links: map[string]*link{}, kinds: map[string]*kind{},
			names: map[string]folderNames{}, lists: map[string]*list{}}}
}

// With returns a new snapshot in which the path has that unsaved text; a nil
// text takes the buffer away. Files that were read already are read no more,
// except the path itself.
func (s *Snapshot) With(path string, text []byte) *Snapshot {
	path = cleaned(path)
	_, open := s.buffers[path]
	buffers := make(map[string]*File, len(s.buffers)+1)
	for p, f := range s.buffers {
		buffers[p] = f
	}
	if text == nil {
		delete(buffers, path)
	} else {
		buffers[path] = &File{Path: path, Data: text, Unsaved: true}
	}
	if open && text != nil {
		// Typing in a file that is open already changes nothing on the disk.
		return &Snapshot{source: s.source, buffers: buffers, known: s.known}
	}
	return s.derive(buffers, path)
}

// Changed returns a new snapshot that reads the given paths anew, and what is below
// them: they were created, changed or removed on disk.
func (s *Snapshot) Changed(paths ...string) *Snapshot { return s.derive(s.buffers, paths...) }

// derive copies what was read, except the paths and all that is known of links
// and folders, which a change anywhere above can alter.
func (s *Snapshot) derive(buffers map[string]*File, changed ...string) *Snapshot {
	next := newSnapshot(s.source, buffers)
	skip := map[string]bool{}
	s.mu.Lock()
	defer s.mu.Unlock()
	folders := false
	for _, p := range changed {
		p = cleaned(p)
		skip[p] = true
		folders = folders || s.files[p] == nil
	}
	for p, r := range s.files {
		// A read that failed is tried again: the file may be there now. One that
		// goes on may still fail.
		if !skip[p] && r.kept.Load() && !(folders && isBelowOneOf(skip, p)) {
			next.files[p] = r
		}
	}
	return next
}

func isBelowOneOf(folders map[string]bool, path string) bool {
	for up := above(path); up != path; path, up = up, above(up) {
		if folders[up] {
			return true
		}
	}
	return false
}

// ReadFile returns the file at an absolute path: the unsaved buffer where there
// is one, else what the source holds.
func (s *Snapshot) ReadFile(path string) (*File, error) {
	path = cleaned(path)
	if f, ok := s.buffers[path]; ok {
		return f, nil
	}
	s.mu.Lock()
	r, ok := s.files[path]
	if !ok {
		r = &read{}
		s.files[path] = r
	}
	s.mu.Unlock()
	r.once.Do(func() {
		if _, err, known := s.listed(path); known && err != nil {
			r.err = err
			return
		}
		data, err := s.source.ReadFile(path)
		if r.err = err; err == nil {
			r.file = &File{Path: path, Data: data}
			r.kept.Store(true)
		}
	})
	return r.file, r.err
}

// Known returns the file at a path where that needs no look at the source: its unsaved
// buffer, or what was read before; else nil, since it may have been written at any time.
func (s *Snapshot) Known(path string) *File {
	path = cleaned(path)
	if f, ok := s.buffers[path]; ok {
		return f
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.files[path]; r != nil && r.kept.Load() {
		return r.file
	}
	return nil
}

// IsUnsaved tells whether the path has unsaved text.
func (s *Snapshot) IsUnsaved(path string) bool {
	_, ok := s.buffers[filepath.Clean(path)]
	return ok
}

// IsDir tells whether the path is a folder; the error wraps fs.ErrNotExist where
// there is nothing.
func (s *Snapshot) IsDir(path string) (bool, error) {
	path = cleaned(path)
	if _, ok := s.buffers[path]; ok {
		return false, nil
	}
	s.mu.Lock()
	k, ok := s.kinds[path]
	s.mu.Unlock()
	if !ok {
		k = s.kindOf(path)
		if errors.Is(k.err, fs.ErrNotExist) && s.hasBufferBelow(path) {
			k.dir, k.err = true, nil
		}
		s.mu.Lock()
		s.kinds[path] = k
		s.mu.Unlock()
	}
	return k.dir, k.err
}

func (s *Snapshot) kindOf(path string) *kind {
	if mode, err, known := s.listed(path); known && mode&fs.ModeSymlink == 0 {
		return &kind{mode.IsDir(), err}
	}
	isDir, err := s.source.IsDir(path)
	return &kind{isDir, err}
}

// hasBufferBelow is true for a folder that so far exists in the editor only.
func (s *Snapshot) hasBufferBelow(dir string) bool {
	for p := range s.buffers {
		if Below(dir, p) {
			return true
		}
	}
	return false
}

// ReadDir returns the names of what is in a folder, sorted, unsaved files included.
func (s *Snapshot) ReadDir(path string) ([]fs.DirEntry, error) {
	path = cleaned(path)
	s.mu.Lock()
	l := s.lists[path]
	s.mu.Unlock()
	if l == nil {
		l = &list{}
		l.entries, l.err = s.source.ReadDir(path)
		s.mu.Lock()
		s.lists[path] = l
		if l.err == nil {
			s.names[path] = newFolderNames(l.entries)
		}
		s.mu.Unlock()
	}
	entries, err := slices.Clip(l.entries), l.err
	if len(s.buffers) == 0 {
		return entries, err
	}
	known := map[string]bool{}
	for _, e := range entries {
		known[e.Name()] = true
	}
	added := false
	for p := range s.buffers {
		if above(p) == path && !known[filepath.Base(p)] {
			entries = append(entries, treeEntry{name: filepath.Base(p)})
			added = true
		}
	}
	if added {
		sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
		return entries, nil
	}
	return entries, err
}

// EvalSymlinks returns the path with symbolic links resolved. A file that so
// far exists in the editor only is where its folder is.
func (s *Snapshot) EvalSymlinks(path string) (string, error) {
	path = cleaned(path)
	s.mu.Lock()
	l, ok := s.links[path]
	s.mu.Unlock()
	if ok {
		return l.path, l.err
	}
	l = &link{}
	l.path, l.err = s.evalSymlinks(path)
	if l.err != nil {
		if _, buffered := s.buffers[path]; buffered || s.hasBufferBelow(path) {
			l.path, l.err = path, nil
			if dir, err := s.source.EvalSymlinks(above(path)); err == nil {
				l.path = filepath.Join(dir, filepath.Base(path))
			}
		}
	}
	s.mu.Lock()
	s.links[path] = l
	s.mu.Unlock()
	return l.path, l.err
}

// evalSymlinks resolves a path. Most names are no links and lie in a folder that
// was resolved before, so that one look at the name is enough.
func (s *Snapshot) evalSymlinks(path string) (string, error) {
	source, ok := s.source.(lstater)
	dir := above(path)
	if !ok || dir == path {
		return s.source.EvalSymlinks(path)
	}
	s.mu.Lock()
	parent := s.links[dir]
	s.mu.Unlock()
	if parent == nil {
		parent = &link{}
		parent.path, parent.err = s.source.EvalSymlinks(dir)
		s.mu.Lock()
		s.links[dir] = parent
		s.mu.Unlock()
	}
	if parent.err != nil {
		return s.source.EvalSymlinks(path)
	}
	real := filepath.Join(parent.path, filepath.Base(path))
	mode, err, known := s.listed(real)
	if !known {
		mode, err = source.Lstat(real)
	}
	switch {
	case err != nil:
		return "", err
	case mode&fs.ModeSymlink != 0:
		return s.source.EvalSymlinks(path)
	}
	s.mu.Lock()
	if s.kinds[real] == nil {
		s.kinds[real] = &kind{dir: mode.IsDir()}
	}
	s.mu.Unlock()
	return real, nil
}

// Below tells whether path is the folder dir or lies under it. Both are clean
// and absolute.
func Below(dir, path string) bool {
	if path == dir || dir == string(filepath.Separator) {
		return true
	}
	return len(path) > len(dir) && path[:len(dir)] == dir && path[len(dir)] == filepath.Separator
}
