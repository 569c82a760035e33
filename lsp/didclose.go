package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
)

// DidClose goes back to what is on disk, or to the text that the file has in the editor
// under another name.
func (s *server) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	u := params.TextDocument.URI
	if isUntitled(u) {
		s.withUntitled(func() { delete(s.untitled, u) })
		return nil
	}
	s.mutex.Lock()
	d, view := s.documents[u], s.view
	delete(s.documents, u)
	s.mutex.Unlock()
	if d == nil || d.path == "" {
		return nil
	}
	s.tokened.forget(d.path)
	var closed *vfs.Snapshot
	s.lookUp(func() {
		closed = view.Files().With(d.path, nil)
		_, _ = closed.ReadFile(d.path) // what was built of it stays if the text is the same
	}, func() {
		if s.view == view && s.shownAt(d.path) == nil {
			s.view = s.view.EditTo(closed, d.path)
		} else {
			s.showText(d.path)
		}
		s.lookAround()
	})
	return nil
}
