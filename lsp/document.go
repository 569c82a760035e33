package lsp

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// document is a file that is open in the editor; its text is in the view.
type document struct {
	uri     uri.URI // as the client spells it
	version int32
}

// DidOpen lays the text of a file over what is on disk.
func (s *server) DidOpen(_ context.Context, params *protocol.DidOpenTextDocumentParams) error {
	d := params.TextDocument
	s.withDocument(d.URI, func(path string) {
		s.documents[path] = &document{d.URI, d.Version}
		s.view = s.view.Edit(path, []byte(d.Text))
		s.lookAround()
	})
	return nil
}

// DidChange applies edits, each to the result of the one before.
func (s *server) DidChange(_ context.Context, params *protocol.DidChangeTextDocumentParams) error {
	d := params.TextDocument
	s.withDocument(d.URI, func(path string) {
		open, ok := s.documents[path]
		switch {
		case !ok:
			s.log("didChange of %s, which is not open", d.URI)
			return
		case d.Version < open.version:
			s.log("didChange of %s from version %d to %d", d.URI, open.version, d.Version)
			return
		}
		open.version = d.Version
		content, err := readFile(s.view, path)
		if err != nil {
			s.log("didChange of %s: %v", d.URI, err)
			return
		}
		for _, change := range params.ContentChanges {
			content = applyChange(content, change, s.encoding)
		}
		s.view = s.view.Edit(path, content)
	})
	return nil
}

// DidSave reads again what saving may have changed around the file.
func (s *server) DidSave(_ context.Context, params *protocol.DidSaveTextDocumentParams) error {
	s.withDocument(params.TextDocument.URI, func(path string) { s.view = s.view.Changed(path) })
	return nil
}

// DidClose goes back to what is on disk.
func (s *server) DidClose(_ context.Context, params *protocol.DidCloseTextDocumentParams) error {
	s.withDocument(params.TextDocument.URI, func(path string) {
		delete(s.documents, path)
		s.view = s.view.Edit(path, nil)
		s.lookAround()
	})
	return nil
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
