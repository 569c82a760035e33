package lsp

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
)

var tokenFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		legend := protocol.SemanticTokensLegend{TokenTypes: []string{}, TokenModifiers: []string{}}
		for _, kind := range ide.TokenKinds() {
			legend.TokenTypes = append(legend.TokenTypes, string(kind))
		}
		c.SemanticTokensProvider = &protocol.SemanticTokensOptions{
			Legend: legend, Full: protocol.Boolean(true), Range: protocol.Boolean(true)}
	},
}

// SemanticTokensFull answers textDocument/semanticTokens/full.
func (s *server) SemanticTokensFull(ctx context.Context, params *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	return q.tokens(ctx, text.Span{End: len(q.content)})
}

// SemanticTokensRange answers textDocument/semanticTokens/range.
func (s *server) SemanticTokensRange(ctx context.Context, params *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	return q.tokens(ctx, q.toSpan(params.Range))
}

// tokens encodes those in a span: each as its distance from the one before, its
// length and its number in the legend. What goes over a line's end is left out.
func (q question) tokens(ctx context.Context, within text.Span) (*protocol.SemanticTokens, error) {
	tokens, err := q.view.Tokens(ctx, q.path)
	if err != nil {
		return nil, err
	}
	kinds := ide.TokenKinds()
	data := []uint32{}
	var last protocol.Position
	for _, t := range tokens {
		at := fromSpan(q.lines, t.Span, q.encoding)
		if t.Span.Start < within.Start || t.Span.End > within.End || at.Start.Line != at.End.Line {
			continue
		}
		character := at.Start.Character
		if at.Start.Line == last.Line {
			character -= last.Character
		}
		data = append(data, at.Start.Line-last.Line, character, at.End.Character-at.Start.Character, uint32(slices.Index(kinds, t.Kind)), 0)
		last = at.Start
	}
	return &protocol.SemanticTokens{Data: data}, nil
}
