package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

var willRenameFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		if c.Workspace.FileOperations == nil {
			c.Workspace.FileOperations = &protocol.FileOperationOptions{}
		}
		scheme := "file"
		c.Workspace.FileOperations.WillRename = protocol.FileOperationRegistrationOptions{
			Filters: []protocol.FileOperationFilter{{Scheme: &scheme, Pattern: protocol.FileOperationPattern{Glob: "**/*"}}}}
	},
}

// WillRenameFiles answers workspace/willRenameFiles: what names the files and folders
// is to be changed with them.
func (s *server) WillRenameFiles(ctx context.Context, params *protocol.RenameFilesParams) (*protocol.WorkspaceEdit, error) {
	now := s.moment()
	jsonrpc2.Async(ctx)
	var list []workspace.Move
	for _, f := range params.Files {
		from, ok := now.path(uri.URI(f.OldURI))
		to, known := now.path(uri.URI(f.NewURI))
		if ok && known {
			list = append(list, workspace.Move{From: from, To: to})
		}
	}
	edits, err := ide.MoveFiles(ctx, now.view, list)
	if err != nil || len(edits) == 0 {
		return nil, err
	}
	return s.newConverter(now.view).fromEdit(now, &workspace.Edit{Edits: edits}), nil
}
