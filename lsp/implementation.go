package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/protocol"
)

type implementationAbilities struct {
	implementationLinks bool
}

var implementationFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if d := c.TextDocument.Implementation; d != nil {
			a.implementationLinks = isTrue(d.LinkSupport)
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.ImplementationProvider = protocol.Boolean(true) },
}

// Implementation answers textDocument/implementation.
func (s *server) Implementation(ctx context.Context, params *protocol.ImplementationParams) (protocol.DefinitionResult, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	found, err := ide.Implementation(ctx, q.view, q.path, q.offset)
	if err != nil || found == nil {
		return nil, err
	}
	q.links = q.implementationLinks
	return s.fromDefinition(q, found), nil
}
