package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/protocol"
)

// DidChangeWatchedFiles reads what changed on disk again.
func (s *server) DidChangeWatchedFiles(_ context.Context, params *protocol.DidChangeWatchedFilesParams) error {
	var paths []string
	s.mutex.Lock()
	for _, event := range params.Changes {
		if path, ok := s.path(event.URI); ok {
			paths = append(paths, path)
		}
	}
	s.mutex.Unlock()
	if len(paths) > 0 {
		s.change(func(v *ide.View) *ide.View { return v.Changed(paths...) })
	}
	return nil
}
