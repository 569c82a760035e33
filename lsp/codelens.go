package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/ide/annotate"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

type lensAbilities struct {
	refreshesLenses bool
}

var lensFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if l := c.Workspace.CodeLens; l != nil {
			a.refreshesLenses = isTrue(l.RefreshSupport)
		}
	},
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.CodeLensProvider = &protocol.CodeLensOptions{ResolveProvider: yes()}
	},
}

// lensData is what a lens keeps until it is resolved.
type lensData struct {
	URI    uri.URI            `json:"uri"`
	About  annotate.LensAbout `json:"about"`
	Offset int                `json:"offset"` // in bytes
}

// CodeLens answers textDocument/codeLens.
func (s *server) CodeLens(ctx context.Context, params *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok || !q.settings.hasCodeLens() {
		return nil, nil
	}
	lenses, err := annotate.Lenses(ctx, q.view, q.path)
	if err != nil {
		return nil, err
	}
	s.shows.lenses.Store(true)
	told := []protocol.CodeLens{}
	for _, l := range lenses {
		data, err := json.Marshal(lensData{params.TextDocument.URI, l.About, l.Span.Start})
		if err != nil {
			return nil, err
		}
		lens := protocol.CodeLens{Range: fromSpan(q.lines, l.Span, q.encoding), Data: data}
		if l.Title != "" {
			lens.Command = s.lensCommand(q.path, l)
		}
		told = append(told, lens)
	}
	return told, nil
}

// CodeLensResolve answers codeLens/resolve.
func (s *server) CodeLensResolve(ctx context.Context, params *protocol.CodeLens) (*protocol.CodeLens, error) {
	var data lensData
	if err := json.Unmarshal(params.Data, &data); err != nil {
		return params, nil // it is not one of ours
	}
	q, ok := s.askFile(ctx, data.URI)
	if !ok || data.Offset < 0 || data.Offset > len(q.content) {
		return params, nil
	}
	lens, err := annotate.ResolveLens(ctx, q.view, q.path, annotate.Lens{Span: text.Span{Start: data.Offset, End: data.Offset}, About: data.About})
	if err != nil {
		return nil, err
	}
	params.Command = s.lensCommand(q.path, lens)
	return params, nil
}

// lensCommand is what happens when the lens is chosen: nothing where there is no root
// to show.
func (s *server) lensCommand(path string, l annotate.Lens) protocol.Command {
	if l.Root == "" && l.About != annotate.AboutRoot {
		return protocol.Command{Title: l.Title}
	}
	name := "kls.preview"
	argument := map[string]any{"uri": s.uri(l.Root)}
	switch {
	case l.About == annotate.AboutGraph:
		name = "kls.graph"
	case l.About == annotate.AboutRoot:
		argument["uri"] = s.uri(filepath.Dir(path))
	case l.Resource != "":
		argument["resource"] = l.Resource
	}
	encoded, err := json.Marshal(argument)
	if err != nil {
		return protocol.Command{Title: l.Title} // strings alone are always encoded
	}
	return protocol.Command{Title: l.Title, Command: name, Arguments: []protocol.LSPAny{encoded}}
}
