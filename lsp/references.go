package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/protocol"
)

var referencesFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.ReferencesProvider = protocol.Boolean(true) },
}

// References answers textDocument/references.
func (s *server) References(ctx context.Context, params *protocol.ReferenceParams) ([]protocol.Location, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	found, err := ide.References(ctx, q.view, q.path, q.offset)
	if err != nil {
		return nil, err
	}
	c := s.newConverter(q.view)
	var locations []protocol.Location
	for _, r := range found {
		if !r.Defines || params.Context.IncludeDeclaration {
			locations = append(locations, c.toLocation(r.Place))
		}
	}
	return locations, nil
}
