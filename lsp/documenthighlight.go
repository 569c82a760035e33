package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/protocol"
)

var highlightFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.DocumentHighlightProvider = protocol.Boolean(true)
	},
}

// DocumentHighlight answers textDocument/documentHighlight.
func (s *server) DocumentHighlight(ctx context.Context, params *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	found, err := ide.Highlight(ctx, q.view, q.path, q.offset)
	if err != nil {
		return nil, err
	}
	var highlights []protocol.DocumentHighlight
	for _, r := range found {
		kind := protocol.DocumentHighlightKindRead
		if r.Defines {
			kind = protocol.DocumentHighlightKindWrite
		}
		highlights = append(highlights, protocol.DocumentHighlight{Range: fromSpan(q.lines, r.Span, q.encoding), Kind: kind})
	}
	return highlights, nil
}
