package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// question is a request about a position, asked of the view that was there when it
// came.
type question struct {
	abilities
	view   *ide.View
	path   string
	lines  *text.Lines
	offset int
}

// ask takes the view, and then lets the messages that follow be handled while the
// request is answered. False means that there is no such file.
func (s *server) ask(ctx context.Context, p protocol.TextDocumentPositionParams) (question, bool) {
	s.mutex.Lock()
	q := question{abilities: s.abilities, view: s.view}
	path, ok := s.path(p.TextDocument.URI)
	s.mutex.Unlock()
	jsonrpc2.Async(ctx)
	if !ok {
		return q, false
	}
	content, err := readFile(q.view, path)
	if err != nil {
		return q, false
	}
	q.path, q.lines = path, text.NewLines(content)
	q.offset = q.lines.PositionToOffset(toPosition(p.Position), q.encoding)
	return q, true
}
