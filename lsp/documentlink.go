package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

type linkAbilities struct {
	linkTooltips bool
}

var linkFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if l := c.TextDocument.DocumentLink; l != nil {
			a.linkTooltips = isTrue(l.TooltipSupport)
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.DocumentLinkProvider = &protocol.DocumentLinkOptions{ResolveProvider: new(false)}
	},
}

// DocumentLink answers textDocument/documentLink.
func (s *server) DocumentLink(ctx context.Context, params *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	var links []protocol.DocumentLink
	for _, l := range structure.Links(q.view, q.path) {
		target := uri.URI(l.URL)
		if l.File != "" {
			target = s.uri(l.File)
		}
		link := protocol.DocumentLink{Range: fromSpan(q.lines, l.Span, q.encoding), Target: &target}
		if q.linkTooltips && l.Tooltip != "" {
			link.Tooltip = &l.Tooltip
		}
		links = append(links, link)
	}
	return links, nil
}
