package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// Definition answers textDocument/definition.
func (s *server) Definition(ctx context.Context, params *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	definition, err := q.view.Definition(ctx, q.path, q.offset)
	if err != nil || definition == nil {
		return nil, err
	}
	return s.fromDefinition(q, definition), nil
}
