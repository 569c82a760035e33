package lsp

import (
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

var syncFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.TextDocumentSync = &protocol.TextDocumentSyncOptions{
			OpenClose: yes(), Change: new(protocol.TextDocumentSyncKindIncremental), Save: protocol.Boolean(true)}
	},
}

// document is a file that is open in the editor; its text is in the view.
type document struct {
	uri     uri.URI // as the client spells it
	version int32
}

// withDocument changes the state of one file and has it checked. Documents that
// are no files are ignored.
func (s *server) withDocument(u uri.URI, change func(path string)) {
	s.mutex.Lock()
	path, ok := s.path(u)
	if ok {
		change(path)
	}
	s.mutex.Unlock()
	if ok {
		s.publisher.wake()
	}
}

// lookAround looks into the folder of a file that was opened outside of all others.
// The caller holds the mutex.
func (s *server) lookAround() {
	if dirs := s.lookedInto(); !slices.Equal(dirs, s.view.Folders()) {
		s.view = s.view.In(dirs)
	}
}
