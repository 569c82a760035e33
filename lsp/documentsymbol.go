package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"go.lsp.dev/protocol"
)

type outlineAbilities struct {
	hierarchy bool // symbols within symbols
}

var outlineFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if d := c.TextDocument.DocumentSymbol; d != nil {
			a.hierarchy = isTrue(d.HierarchicalDocumentSymbolSupport)
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.DocumentSymbolProvider = protocol.Boolean(true) },
}

// DocumentSymbol answers textDocument/documentSymbol.
func (s *server) DocumentSymbol(ctx context.Context, params *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	symbols, err := structure.Outline(ctx, q.view, q.path)
	if err != nil {
		return nil, err
	}
	if q.hierarchy {
		return protocol.DocumentSymbolSlice(q.fromSymbols(symbols)), nil
	}
	return protocol.SymbolInformationSlice(s.newConverter(q.view).flat(q.path, "", symbols, nil)), nil
}

func (q question) fromSymbols(symbols []structure.Symbol) []protocol.DocumentSymbol {
	out := make([]protocol.DocumentSymbol, len(symbols))
	for i, s := range symbols {
		out[i] = protocol.DocumentSymbol{
			Name: s.Name, Kind: symbolKinds[s.Kind],
			Range: fromSpan(q.lines, s.Span, q.encoding), SelectionRange: fromSpan(q.lines, s.Selection, q.encoding),
		}
		if s.Detail != "" {
			out[i].Detail = &s.Detail
		}
		if len(s.Children) > 0 {
			out[i].Children = q.fromSymbols(s.Children)
		}
	}
	return out
}

// flat lists the symbols and those within them, for clients without a hierarchy.
func (c *converter) flat(file, container string, symbols []structure.Symbol, list []protocol.SymbolInformation) []protocol.SymbolInformation {
	for _, s := range symbols {
		information := protocol.SymbolInformation{
			BaseSymbolInformation: protocol.BaseSymbolInformation{Name: s.Name, Kind: symbolKinds[s.Kind]},
			Location:              c.toLocation(analysis.Place{File: file, Span: s.Span}),
		}
		if container != "" {
			information.ContainerName = &container
		}
		list = c.flat(file, s.Name, s.Children, append(list, information))
	}
	return list
}

var symbolKinds = map[structure.SymbolKind]protocol.SymbolKind{
	structure.KustomizationSymbol: protocol.SymbolKindModule,
	structure.ResourceSymbol:      protocol.SymbolKindClass,
	structure.GeneratorSymbol:     protocol.SymbolKindConstructor,
	structure.FieldSymbol:         protocol.SymbolKindField,
	structure.ListSymbol:          protocol.SymbolKindArray,
	structure.MappingSymbol:       protocol.SymbolKindObject,
	structure.ItemSymbol:          protocol.SymbolKindFile,
}
