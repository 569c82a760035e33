package lsp

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

var workspaceSymbolFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.WorkspaceSymbolProvider = protocol.Boolean(true) },
}

// Symbols answers workspace/symbol.
func (s *server) Symbols(ctx context.Context, params *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	now := s.moment()
	jsonrpc2.Async(ctx)
	found, err := structure.WorkspaceSymbols(ctx, now.view, params.Query)
	if err != nil {
		return nil, err
	}
	c := s.newConverter(now.view)
	symbols := protocol.SymbolInformationSlice{}
	for _, f := range found {
		container := filepath.Base(filepath.Dir(f.File)) + "/" + filepath.Base(f.File)
		symbols = append(symbols, protocol.SymbolInformation{
			BaseSymbolInformation: protocol.BaseSymbolInformation{Name: f.Name, Kind: symbolKinds[f.Kind], ContainerName: &container},
			Location:              c.toLocation(f.Place),
		})
	}
	return symbols, nil
}
