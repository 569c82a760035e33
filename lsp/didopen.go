package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidOpen lays the text of a file over what is on disk.
func (s *server) DidOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) error {
	d := params.TextDocument
	if isUntitled(d.URI) {
		if !isYAML(d.LanguageID) {
			return nil
		}
		s.withUntitled(func() { s.openUntitled(d) })
		return nil
	}
	s.withDocument(d.URI, func(path string) {
		s.documents[path] = &document{d.URI, d.Version}
		s.view = s.view.Edit(path, []byte(d.Text))
		s.lookAround()
	})
	return nil
}
