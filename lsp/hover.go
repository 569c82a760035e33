package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/protocol"
)

type hoverAbilities struct {
	markdown bool
}

var hoverFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if h := c.TextDocument.Hover; h != nil {
			a.markdown = can(h.ContentFormat, protocol.MarkupKindMarkdown)
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.HoverProvider = protocol.Boolean(true) },
}

// Hover answers textDocument/hover.
func (s *server) Hover(ctx context.Context, params *protocol.HoverParams) (*protocol.Hover, error) {
	if q, ok := s.askVirtual(ctx, params.TextDocumentPositionParams); ok {
		return s.virtualHover(ctx, q)
	}
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	hover, err := ide.HoverAt(ctx, q.view, q.path, q.offset)
	if err != nil || hover == nil {
		return nil, err
	}
	return s.fromHover(q, hover), nil
}

func (s *server) fromHover(q question, h *ide.Hover) *protocol.Hover {
	parts := []string{h.Markdown}
	if h.Description != "" && q.describesFields() {
		parts = append(parts, h.Description)
	}
	if h.Root != "" && q.initial.CommandLinks {
		parts = append(parts, s.previewLinks(h.Root))
	}
	content := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ide.Divider)
	if content == "" {
		return nil
	}
	about := fromSpan(q.lines, h.Span, q.encoding)
	return &protocol.Hover{Contents: markup(q.abilities, content), Range: &about}
}

// describesFields tells whether the descriptions of Kubernetes' fields are wanted:
// where yaml-language-server has the same, by default they are not.
func (q question) describesFields() bool {
	switch q.settings.Schema {
	case schemaOn:
		return true
	case schemaOff:
		return false
	}
	return !q.initial.YAMLLanguageServer || workspace.IsKustomization(q.path)
}

// previewLinks are links to what a root renders, for clients that follow links to
// commands.
func (s *server) previewLinks(root string) string {
	link := func(title, command string, argument map[string]any) string {
		argument["uri"] = s.uri(root)
		encoded, err := json.Marshal([]any{argument})
		if err != nil {
			return "" // strings alone are always encoded
		}
		return fmt.Sprintf("[%s](command:%s?%s)", title, command, url.PathEscape(string(encoded)))
	}
	return link("Preview", "kls.preview", map[string]any{}) + " · " +
		link("What this kustomization changes", "kls.previewDiff", map[string]any{"against": againstBase})
}
