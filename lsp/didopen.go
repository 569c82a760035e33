package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/protocol"
)

// DidOpen lays the text of a file over what is on disk.
func (s *server) DidOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) error {
	item := params.TextDocument
	if isUntitled(item.URI) {
		if !isYAML(item.LanguageID) {
			return nil
		}
		s.withUntitled(func() { s.openUntitled(item) })
		return nil
	}
	if path, ok := filePath(item.URI); ok {
		s.openFile(path, &document{uri: item.URI, version: item.Version, text: []byte(item.Text)})
	}
	return nil
}

func (s *server) openFile(path string, d *document) {
	s.mutex.Lock()
	s.touch(d)
	s.documents[d.uri] = d
	view := s.view
	s.mutex.Unlock()
	var folder string
	s.lookUp(func() {
		path = realPath(view, path)
		folder, _ = workspace.FolderOf(view.Files().With(path, d.text), path)
	}, func() {
		if s.documents[d.uri] != d {
			return // it was closed meanwhile
		}
		d.path, d.folder = path, folder
		s.showText(path)
		s.lookAround()
	})
}
