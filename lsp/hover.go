package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

type hoverAbilities struct {
	markdown bool
}

var hoverFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if h := c.TextDocument.Hover; h != nil {
			a.markdown = can(h.ContentFormat, protocol.MarkupKindMarkdown)
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.HoverProvider = protocol.Boolean(true) },
}

// Hover answers textDocument/hover.
func (s *server) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	if q, ok := s.askVirtual(ctx, params.TextDocumentPositionParams); ok {
		return s.virtualHover(ctx, q)
	}
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
