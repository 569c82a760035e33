package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidChange applies edits, each to the result of the one before.
func (s *server) DidChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) error {
	d := params.TextDocument
	if isUntitled(d.URI) {
		s.withUntitled(func() {
			if open := s.untitled[d.URI]; open != nil && d.Version >= open.version {
				s.changeUntitled(open, d.Version, params.ContentChanges)
			}
		})
		return nil
	}
	s.withDocument(d.URI, func(path string) {
		open, ok := s.documents[path]
		switch {
		case !ok:
			s.log("didChange of %s, which is not open", d.URI)
			return
		case d.Version < open.version:
			s.log("didChange of %s from version %d to %d", d.URI, open.version, d.Version)
			return
		}
		open.version = d.Version
		content, err := readFile(s.view, path)
		if err != nil {
			s.log("didChange of %s: %v", d.URI, err)
			return
		}
		for _, change := range params.ContentChanges {
			content = applyChange(content, change, s.encoding)
		}
		s.view = s.view.Edit(path, content)
	})
	return nil
}
