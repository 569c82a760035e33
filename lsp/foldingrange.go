package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"go.lsp.dev/protocol"
)

type foldingAbilities struct {
	foldsLines bool // whole lines only
	foldLimit  int  // 0 for none
}

var foldingFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if f := c.TextDocument.FoldingRange; f != nil {
			a.foldsLines = isTrue(f.LineFoldingOnly)
			if f.RangeLimit != nil {
				a.foldLimit = clampToInt(*f.RangeLimit)
			}
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.FoldingRangeProvider = protocol.Boolean(true) },
}

// FoldingRanges answers textDocument/foldingRange.
func (s *server) FoldingRanges(ctx context.Context, params *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	var ranges []protocol.FoldingRange
	for _, f := range structure.Folds(q.view, q.path) {
		if q.foldLimit > 0 && len(ranges) == q.foldLimit {
			break
		}
		span := fromSpan(q.lines, f.Span, q.encoding)
		fold := protocol.FoldingRange{StartLine: span.Start.Line, EndLine: span.End.Line}
		if f.Comment {
			fold.Kind = protocol.FoldingRangeKindComment
		}
		if !q.foldsLines {
			first := fromOffset(q.lines, q.lines.LineSpan(clampToInt(span.Start.Line)).End, q.encoding)
			fold.StartCharacter, fold.EndCharacter = &first.Character, &span.End.Character
		}
		ranges = append(ranges, fold)
	}
	return ranges, nil
}
