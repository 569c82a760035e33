package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidChangeWatchedFiles reads what changed on disk again.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	var paths []string
	s.mutex.Lock()
	for _, event := range params.Changes {
		path, ok := s.path(event.URI)
		if _, open := s.documents[path]; !ok || open && event.Type == protocol.FileChangeTypeChanged {
			continue // the text of an open file is the editor's
		}
		paths = append(paths, path)
	}
	s.mutex.Unlock()
	s.changedOnDisk(paths)
	return nil
}
