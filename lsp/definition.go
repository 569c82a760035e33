package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/protocol"
)

type definitionAbilities struct {
	links bool // definitions with the range that was asked about
}

var definitionFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if d := c.TextDocument.Definition; d != nil {
			a.links = isTrue(d.LinkSupport)
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.DefinitionProvider = protocol.Boolean(true) },
}

// Definition answers textDocument/definition.
func (s *server) Definition(ctx context.Context, params *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	if q, ok := s.askVirtual(ctx, params.TextDocumentPositionParams); ok {
		return s.virtualDefinition(ctx, q)
	}
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	definition, err := ide.DefinitionAt(ctx, q.view, q.path, q.offset)
	if err != nil || definition == nil {
		return nil, err
	}
	return s.fromDefinition(q, definition), nil
}
