package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

type watchAbilities struct {
	watchesFiles bool // and can be told to
}

var watchFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		if w := c.Workspace.DidChangeWatchedFiles; w != nil {
			a.watchesFiles = isTrue(w.DynamicRegistration)
		}
	},
}

// Initialized asks to be told of changed files, and checks the folders.
func (s *server) Initialized(ctx context.Context, _ *protocol.InitializedParams) error {
	s.mutex.Lock()
	watches := s.watchesFiles
	s.mutex.Unlock()
	s.publisher.wake()
	if !watches {
		return nil
	}
	options, err := json.Marshal(map[string]any{"watchers": []any{map[string]any{"globPattern": "**/*"}}})
	if err != nil {
		return err
	}
	jsonrpc2.Async(ctx) // the answer is read while this waits
	return s.client.RegisterCapability(ctx, &protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: "files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: options,
	}}})
}
