package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidSave reads again what saving may have changed around the file.
func (s *server) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	s.withDocument(params.TextDocument.URI, func(path string) { s.view = s.view.Changed(path) })
	return nil
}
