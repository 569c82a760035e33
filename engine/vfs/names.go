package vfs

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// cleaned is filepath.Clean, at little cost for a path that is clean already, as
// almost all are.
func cleaned(path string) string {
	if filepath.Separator == '/' && len(path) > 1 && path[0] == '/' && path[len(path)-1] != '/' &&
		!strings.Contains(path, "//") && !strings.Contains(path, "/.") {
		return path
	}
	return filepath.Clean(path)
}

// above is filepath.Dir of a clean path.
func above(path string) string {
	if filepath.Separator != '/' {
		return filepath.Dir(path)
	}
	if at := strings.LastIndexByte(path, '/'); at > 0 {
		return path[:at]
	}
	return filepath.Dir(path)
}

// folderNames is what the listing of a folder says of the names in it, so that the
// source need not be asked of each.
type folderNames map[string]nameInFolder // by the name in lower case

type nameInFolder struct {
	name string
	mode fs.FileMode // its type
	// several is true where names differ in case alone.
	several bool
}

func newFolderNames(entries []fs.DirEntry) folderNames {
	names := make(folderNames, len(entries))
	for _, e := range entries {
		folded := strings.ToLower(e.Name())
		_, several := names[folded]
		names[folded] = nameInFolder{e.Name(), e.Type(), several}
	}
	return names
}

// mode returns the type of what has a name, and fs.ErrNotExist where nothing has. It
// is not known where file systems differ: in whether case counts, and in how they
// write what is not ASCII.
func (n folderNames) mode(path string) (mode fs.FileMode, err error, known bool) {
	name := filepath.Base(path)
	for i := range len(name) {
		if name[i] >= 0x80 || name[i] == '~' {
			return 0, nil, false
		}
	}
	found, ok := n[strings.ToLower(name)]
	switch {
	case !ok:
		return 0, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}, true
	case found.several || found.name != name:
		return 0, nil, false
	}
	return found.mode, nil, true
}

// listed returns what is known of a clean path from the listing of its folder.
func (s *Snapshot) listed(path string) (mode fs.FileMode, err error, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names, ok := s.names[above(path)]
	if !ok {
		return 0, nil, false
	}
	return names.mode(path)
}
