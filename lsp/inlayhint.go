package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide/annotate"
	"go.lsp.dev/protocol"
)

type hintAbilities struct {
	refreshesHints bool
}

var hintFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if h := c.Workspace.InlayHint; h != nil {
			a.refreshesHints = isTrue(h.RefreshSupport)
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.InlayHintProvider = protocol.Boolean(true) },
}

// InlayHint answers textDocument/inlayHint.
func (s *server) InlayHint(ctx context.Context, params *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok || !q.settings.hasInlayHints() {
		return nil, nil
	}
	hints, err := annotate.Hints(ctx, q.view, q.path, q.toSpan(params.Range))
	if err != nil {
		return nil, err
	}
	s.shows.hints.Store(true)
	told := []protocol.InlayHint{}
	for _, h := range hints {
		told = append(told, protocol.InlayHint{
			Position:    fromOffset(q.lines, h.Offset, q.encoding),
			Label:       protocol.String(h.Label),
			Tooltip:     markup(q.abilities, h.Tooltip),
			PaddingLeft: yes(),
		})
	}
	return told, nil
}
