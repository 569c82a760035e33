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
	s.mutex.Lock()
	open := s.documents[d.URI]
	s.mutex.Unlock()
	switch {
	case open == nil:
		s.log("didChange of %s, which is not open", d.URI)
		return nil
	case d.Version < open.version:
		s.log("didChange of %s from version %d to %d", d.URI, open.version, d.Version)
		return nil
	}
	content := applyChanges(open.text, params.ContentChanges, s.encoding)
	s.mutex.Lock()
	open.version, open.text = d.Version, content
	s.touch(open)
	if open.path != "" {
		s.showText(open.path)
	}
	s.mutex.Unlock()
	s.publisher.wake()
	return nil
}
