package lsp

import (
	"bytes"
	"maps"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/uri"
)

// moment is what there is when a message comes: the view, what is open in it, and the
// settings. What answers a request looks at nothing else, and needs no mutex for it.
type moment struct {
	view      *workspace.View
	versions  map[string]int32     // of the texts that files have in the view, by path
	documents map[uri.URI]document // what is open
	untitled  map[uri.URI]untitled
	settings  []scoped
}

func (s *server) moment() moment {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	m := moment{view: s.latest(), versions: map[string]int32{}, documents: map[uri.URI]document{}, untitled: map[uri.URI]untitled{}, settings: s.settings}
	last := map[string]int{} // by path
	for u, d := range s.documents {
		m.documents[u] = *d
		if d.path != "" && d.changes > last[d.path] {
			last[d.path], m.versions[d.path] = d.changes, d.version
		}
	}
	for u, d := range s.untitled {
		m.untitled[u] = *d
	}
	return m
}

// path returns the path of a URI without symbolic links, which is how builds name files.
// It may look at the disk.
func (m moment) path(u uri.URI) (string, bool) {
	if d := m.documents[u]; d.path != "" {
		return d.path, true
	}
	path, ok := filePath(u)
	if !ok {
		return "", false
	}
	return realPath(m.view, path), true
}

// at returns the path of a document, and the moment in which the view has its text: a
// document that is in no file has a view of its own, and where one file is open under two
// names, only one of them has its text in the server's view. It may look at the disk.
func (m moment) at(u uri.URI) (moment, string, bool) {
	if d, ok := m.untitled[u]; ok {
		m.view, m.versions = d.view, map[string]int32{d.path: d.version}
		return m, d.path, true
	}
	path, ok := m.path(u)
	d, open := m.documents[u]
	if !ok || !open {
		return m, path, ok
	}
	if shown := m.view.Files().Known(path); shown == nil || !shown.Unsaved || !bytes.Equal(shown.Data, d.text) {
		m.view = m.view.EditTo(m.view.Files().With(path, d.text), path)
		m.versions = maps.Clone(m.versions)
		m.versions[path] = d.version
	}
	return m, path, true
}

// small returns the open files that are not large.
func (m moment) small() []string {
	return slices.DeleteFunc(m.openFiles(), func(path string) bool {
		content, err := readFile(m.view, path)
		return err != nil || len(content) > maxDrafted
	})
}

func (m moment) openFiles() []string { return slices.Sorted(maps.Keys(m.versions)) }
