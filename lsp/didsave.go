package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidSave reads again what saving may have changed around the file.
func (s *server) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	s.mutex.Lock()
	d := s.documents[params.TextDocument.URI]
	s.mutex.Unlock()
	if d != nil && d.path != "" {
		s.changedOnDisk([]string{d.path})
	}
	return nil
}
