package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidClose goes back to what is on disk.
func (s *server) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	if u := params.TextDocument.URI; isUntitled(u) {
		s.withUntitled(func() { delete(s.untitled, u) })
		return nil
	}
	s.withDocument(params.TextDocument.URI, func(path string) {
		delete(s.documents, path)
		s.tokened.forget(path)
		s.view = s.view.Edit(path, nil)
		s.lookAround()
	})
	return nil
}
