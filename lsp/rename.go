package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

type renameAbilities struct {
	preparesRename bool // asks what can be renamed before it asks for a name
}

var renameFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if r := c.TextDocument.Rename; r != nil {
			a.preparesRename = isTrue(r.PrepareSupport)
		}
	},
	offer: func(a *abilities, c *protocol.ServerCapabilities) {
		c.RenameProvider = protocol.Boolean(true)
		if a.preparesRename {
			c.RenameProvider = &protocol.RenameOptions{PrepareProvider: yes()}
		}
	},
}

// PrepareRename answers textDocument/prepareRename. The reason why nothing can be
// renamed is the error, which editors show.
func (s *server) PrepareRename(ctx context.Context, params *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	renamable, reason, err := ide.PrepareRename(ctx, q.view, q.path, q.offset)
	switch {
	case err != nil:
		return nil, err
	case reason != "":
		return nil, jsonrpc2.NewError(codeRequestFailed, reason)
	}
	return &protocol.PrepareRenamePlaceholder{Range: fromSpan(q.lines, renamable.Span, q.encoding), Placeholder: renamable.Text}, nil
}

// Rename answers textDocument/rename.
func (s *server) Rename(ctx context.Context, params *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	edit, reason, err := ide.Rename(ctx, q.view, q.path, q.offset, params.NewName)
	if err != nil {
		return nil, err
	}
	if reason != "" {
		return nil, jsonrpc2.NewError(codeRequestFailed, reason)
	}
	converted := s.newConverter(q.view).fromEdit(q.moment, edit)
	if converted == nil {
		return nil, jsonrpc2.NewError(codeRequestFailed, "the editor cannot rename files on behalf of a server; rename the file itself")
	}
	return converted, nil
}
