package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// question is a request about a position, asked of the view that was there when it
// came.
type question struct {
	abilities
	settings settings // of the file
	moment
	path    string
	lines   *text.Lines
	content []byte
	offset  int // 0 for a question about a whole file
}

// ask takes the view, and then lets the messages that follow be handled while the
// request is answered. False means that there is no such file.
func (s *server) ask(ctx context.Context, p protocol.TextDocumentPositionParams) (question, bool) {
	q, ok := s.askFile(ctx, p.TextDocument.URI)
	if ok {
		q.offset = q.toOffset(p.Position)
	}
	return q, ok
}

// askFile is ask for a request about a whole file or about ranges in it.
func (s *server) askFile(ctx context.Context, u uri.URI) (question, bool) {
	now := s.moment()
	jsonrpc2.Async(ctx)
	now, path, ok := now.at(u)
	if !ok {
		return question{}, false
	}
	q := question{abilities: s.abilities, settings: settingsFor(now.settings, path), moment: now}
	content, err := readFile(q.view, path)
	if err != nil {
		return q, false
	}
	q.path, q.lines, q.content = path, text.NewLines(content), content
	return q, true
}

// version is that of the file, 0 for one that is not open.
func (q question) version() int32 { return q.versions[q.path] }

func (q question) toOffset(p protocol.Position) int {
	return q.lines.PositionToOffset(toPosition(p), q.encoding)
}

func (q question) toSpan(r protocol.Range) text.Span {
	start := q.toOffset(r.Start)
	return text.Span{Start: start, End: max(start, q.toOffset(r.End))}
}
