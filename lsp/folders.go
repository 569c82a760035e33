package lsp

import (
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/uri"
)

// setFolders looks into the folders, and where no folder was opened, into those of the
// open files.
func (s *server) setFolders(list []uri.URI) {
	var folders []folder
	for _, u := range list {
		if path, ok := filePath(u); ok {
			folders = append(folders, folder{uri: u, given: path, real: path})
		}
	}
	s.mutex.Lock()
	s.folders = folders // as they are given, until the disk says where they are
	s.mutex.Unlock()
	view, real := s.currentView(), slices.Clone(folders)
	s.lookUp(func() {
		for i := range real {
			real[i].real = realPath(view, real[i].given)
		}
	}, func() {
		if slices.Equal(s.folders, folders) {
			s.folders = real
			s.lookAround()
		}
	})
}

// lookedInto returns the folders, and for each open file that is in none of them
// the nearest one with a kustomization. The caller holds the mutex.
func (s *server) lookedInto() []string {
	var dirs []string
	for _, f := range s.folders {
		dirs = append(dirs, f.real)
	}
	for _, d := range s.documents {
		if d.folder != "" && !slices.ContainsFunc(dirs, func(dir string) bool { return vfs.Below(dir, d.path) }) {
			dirs = append(dirs, d.folder)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// folderOf returns the workspace folder that a path is in, the first one for a path
// in none, and the path's own where no folder was opened. The caller holds the mutex.
func (s *server) folderOf(path string) string {
	for _, f := range s.folders {
		if vfs.Below(f.real, path) {
			return f.real
		}
	}
	if len(s.folders) > 0 {
		return s.folders[0].real
	}
	return filepath.Dir(path)
}
