package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
)

var selectionFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.SelectionRangeProvider = protocol.Boolean(true) },
}

// SelectionRange answers textDocument/selectionRange.
func (s *server) SelectionRange(ctx context.Context, params *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	ranges := make([]protocol.SelectionRange, len(params.Positions))
	for i, p := range params.Positions {
		offset := q.toOffset(p)
		spans := structure.Selection(q.view, q.path, offset)
		if len(spans) == 0 {
			spans = []text.Span{{Start: offset, End: offset}}
		}
		ranges[i] = *q.fromNested(spans)
	}
	return ranges, nil
}

// fromNested chains spans, of which each lies within the next.
func (q question) fromNested(spans []text.Span) *protocol.SelectionRange {
	var outer *protocol.SelectionRange
	for i := len(spans) - 1; i >= 0; i-- {
		outer = &protocol.SelectionRange{Range: fromSpan(q.lines, spans[i], q.encoding), Parent: outer}
	}
	return outer
}
