package lsp

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// untitledScheme is that of documents that are in no file yet.
const untitledScheme = "untitled:"

// untitled is a document that is in no file yet. What can be told of it without a folder
// is told from a view of its own, in which it is alone.
type untitled struct {
	uri     uri.URI
	version int32
	// folder is one that is not there, path the file in it that the text is treated as.
	folder, path string
	view         *workspace.View
}

func isUntitled(u uri.URI) bool { return strings.HasPrefix(string(u), untitledScheme) }

// isYAML tells of the language of a document that may be a kustomization.
func isYAML(language protocol.LanguageKind) bool {
	return language == "" || strings.Contains(string(language), "yaml") || strings.Contains(string(language), "kustom")
}

// withUntitled changes the state of a document that is in no file, and has it checked.
func (s *server) withUntitled(change func()) {
	s.mutex.Lock()
	change()
	s.mutex.Unlock()
	s.publisher.wake()
}

// openUntitled takes over a new document. The caller holds the mutex.
func (s *server) openUntitled(item protocol.TextDocumentItem) {
	s.untitledCount++
	d := &untitled{uri: item.URI, version: item.Version,
		folder: filepath.Join(string(filepath.Separator), ".kls-untitled", fmt.Sprint(s.untitledCount))}
	s.untitled[item.URI] = d
	s.setUntitled(d, []byte(item.Text))
}

// setUntitled gives a document its text. The caller holds the mutex.
func (s *server) setUntitled(d *untitled, content []byte) {
	d.path = filepath.Join(d.folder, workspace.NameForText(content))
	d.view = s.view.Of(vfs.NewSnapshot(vfs.Memory(map[string][]byte{d.path: content})), nil)
}

// changeUntitled applies edits. The caller holds the mutex.
func (s *server) changeUntitled(d *untitled, version int32, changes []protocol.TextDocumentContentChangeEvent) {
	content, err := readFile(d.view, d.path)
	if err != nil {
		s.log("didChange of %s: %v", d.uri, err)
		return
	}
	d.version = version
	s.setUntitled(d, applyChanges(content, changes, s.encoding))
}

// untitledAt returns the document that is treated as a file; nil for none. The caller
// holds the mutex.
func (s *server) untitledAt(path string) *untitled {
	for _, d := range s.untitled {
		if d.path == path {
			return d
		}
	}
	return nil
}

// publishUntitled tells the client of the mistakes that untitled documents have by
// themselves, where they are not as it was told last.
func (p *publisher) publishUntitled(ctx context.Context) {
	s := p.server
	s.mutex.Lock()
	open := map[uri.URI]untitled{}
	for u, d := range s.untitled {
		open[u] = *d
	}
	s.mutex.Unlock()
	for u := range p.untitled {
		if _, ok := open[u]; !ok {
			p.clear(ctx, u)
			delete(p.untitled, u)
		}
	}
	for u, d := range open {
		params := &protocol.PublishDiagnosticsParams{URI: u, Version: protocol.NewOptional(d.version),
			Diagnostics: s.newConverter(d.view).diagnostics(d.view.Alone(d.path))}
		messages, err := protocol.Marshal(params)
		if err != nil {
			s.log("diagnostics of %s: %v", u, err)
			continue
		}
		if bytes.Equal(p.untitled[u], messages) {
			continue
		}
		p.untitled[u] = messages
		s.logFailure("publishing diagnostics", s.client.PublishDiagnostics(ctx, params), ctx)
	}
}
