package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"go.lsp.dev/protocol"
)

var linkedEditingFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.LinkedEditingRangeProvider = protocol.Boolean(true)
	},
}

// anchorPattern is what the name of an anchor may consist of.
const anchorPattern = `[A-Za-z0-9_-]+`

// LinkedEditingRange answers textDocument/linkedEditingRange.
func (s *server) LinkedEditingRange(ctx context.Context, params *protocol.LinkedEditingRangeParams) (*protocol.LinkedEditingRanges, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	spans := structure.Linked(q.view, q.path, q.offset)
	if spans == nil {
		return nil, nil
	}
	ranges := &protocol.LinkedEditingRanges{WordPattern: new(anchorPattern)}
	for _, span := range spans {
		ranges.Ranges = append(ranges.Ranges, fromSpan(q.lines, span, q.encoding))
	}
	return ranges, nil
}
