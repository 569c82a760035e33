package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// Hover answers textDocument/hover.
func (s *server) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	hover, err := q.view.Hover(ctx, q.path, q.offset)
	if err != nil || hover == nil {
		return nil, err
	}
	return q.fromHover(hover), nil
}
