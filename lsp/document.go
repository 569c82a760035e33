package lsp

import (
	"context"
	"slices"
	"time"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

var syncFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.TextDocumentSync = &protocol.TextDocumentSyncOptions{
			OpenClose: yes(), Change: new(protocol.TextDocumentSyncKindIncremental), Save: protocol.Boolean(true)}
	},
}

// document is a file that is open in the editor, under one of its names. The server's
// mutex guards it.
type document struct {
	uri     uri.URI // as the client spells it
	version int32
	text    []byte // never nil
	// path is the file's without symbolic links, and folder the nearest one above it that
	// has a kustomization. Both are empty until the disk said so.
	path, folder string
	// changes is the server's count when it was opened or changed last.
	changes int
}

// touch notes that a document was opened or changed. The caller holds the mutex.
func (s *server) touch(d *document) {
	s.changes++
	d.changes = s.changes
}

// shownAt returns the document whose text a file has; nil for none. Where one file is open
// under two names, that is the one that was changed last. The caller holds the mutex.
func (s *server) shownAt(path string) *document {
	var last *document
	for _, d := range s.documents {
		if d.path == path && (last == nil || d.changes > last.changes) {
			last = d
		}
	}
	return last
}

// showText gives a file in the view the text that it has in the editor. The caller holds
// the mutex.
func (s *server) showText(path string) {
	var content []byte // nil for what is on disk
	if d := s.shownAt(path); d != nil {
		content = d.text
	}
	s.view = s.view.EditTo(s.view.Files().With(path, content), path)
}

// currentView returns the view for a look at the disk.
func (s *server) currentView() *workspace.View {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.view
}

// diskPatience is how long messages wait for what a notification has to look up on disk.
const diskPatience = 50 * time.Millisecond

// lookUp looks at the disk, then takes over what it found, with the mutex, and has the
// view checked. It returns when that is done, or after a while: messages that follow, such
// as the cancellation of a request, must not hang with the disk. What is taken over late
// must hold then, too.
func (s *server) lookUp(look, takeOver func()) {
	done := make(chan struct{})
	s.background(func(context.Context) {
		defer close(done)
		look()
		s.mutex.Lock()
		takeOver()
		s.mutex.Unlock()
		s.publisher.wake()
	})
	select {
	case <-done:
	case <-time.After(diskPatience):
	}
}

// lookAround looks into the folder of a file that was opened outside of all others.
// The caller holds the mutex.
func (s *server) lookAround() {
	if dirs := s.lookedInto(); !slices.Equal(dirs, s.view.Folders()) {
		s.view = s.view.In(dirs)
	}
}
