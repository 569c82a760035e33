package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

var foldersFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.Workspace.WorkspaceFolders = &protocol.WorkspaceFoldersServerCapabilities{
			Supported: yes(), ChangeNotifications: protocol.Boolean(true)}
	},
}

// DidChangeWorkspaceFolders looks into other folders from now on.
func (s *server) DidChangeWorkspaceFolders(_ context.Context, params *protocol.DidChangeWorkspaceFoldersParams) error {
	s.mutex.Lock()
	var list []uri.URI
	for _, f := range s.folders {
		if !slices.ContainsFunc(params.Event.Removed, func(removed protocol.WorkspaceFolder) bool { return removed.URI == f.uri }) {
			list = append(list, f.uri)
		}
	}
	for _, added := range params.Event.Added {
		list = append(list, added.URI)
	}
	s.mutex.Unlock()
	s.setFolders(list)
	if s.pullsSettings && len(params.Event.Added) > 0 {
		s.background(s.pullSettings)
	}
	return nil
}
