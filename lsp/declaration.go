package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/protocol"
)

var declarationFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.DeclarationProvider = protocol.Boolean(true) },
}

// Declaration answers textDocument/declaration: what is declared here is defined at
// the same place.
func (s *server) Declaration(ctx context.Context, params *protocol.DeclarationParams) (protocol.DeclarationResult, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	found, err := ide.DefinitionAt(ctx, q.view, q.path, q.offset)
	if err != nil || found == nil {
		return nil, err
	}
	q.links = false
	return s.fromDefinition(q, found).(protocol.LocationSlice), nil
}
