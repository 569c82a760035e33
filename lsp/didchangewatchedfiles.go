package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidChangeWatchedFiles reads what changed on disk again.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	view := s.currentView()
	paths := make([]string, len(params.Changes)) // empty for what is no file
	s.lookUp(func() {
		for i, event := range params.Changes {
			if path, ok := filePath(event.URI); ok {
				paths[i] = realPath(view, path)
			}
		}
	}, func() {
		open := map[string]bool{}
		for _, d := range s.documents {
			open[d.path] = true
		}
		for i, path := range paths {
			// The text of an open file is the editor's.
			if path != "" && (!open[path] || params.Changes[i].Type != protocol.FileChangeTypeChanged) {
				s.stale = append(s.stale, path)
			}
		}
	})
	return nil
}
