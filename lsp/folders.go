package lsp

import (
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/uri"
)

// setFolders looks into the folders, and where no folder was opened, into those of
// the open files. The caller holds the mutex.
func (s *server) setFolders(list []uri.URI) {
	s.folders = nil
	for _, u := range list {
		if path, ok := filePath(u); ok {
			s.folders = append(s.folders, folder{uri: u, given: path, real: realPath(s.view, path)})
		}
	}
	s.view = s.view.In(s.lookedInto())
}

// lookedInto returns the folders, and for each open file that is in none of them
// the nearest one with a kustomization. The caller holds the mutex.
func (s *server) lookedInto() []string {
	var dirs []string
	for _, f := range s.folders {
		dirs = append(dirs, f.real)
	}
	for path := range s.documents {
		if slices.ContainsFunc(dirs, func(dir string) bool { return vfs.Below(dir, path) }) {
			continue
		}
		if dir, ok := workspace.FolderOf(s.view.Files(), path); ok {
			dirs = append(dirs, dir)
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
