package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"go.lsp.dev/protocol"
)

// There is no formatting of a range: fields change their places.
var formattingFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.DocumentFormattingProvider = protocol.Boolean(true)
	},
}

// Formatting answers textDocument/formatting. The client's options are not asked: the
// layout is kustomize's, whose indentation is two blanks.
func (s *server) Formatting(ctx context.Context, params *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	edits := structure.Format(q.view, q.path)
	if len(edits) == 0 {
		return nil, nil
	}
	return s.newConverter(q.view).fromFileEdits(edits), nil
}
