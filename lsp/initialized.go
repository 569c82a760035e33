package lsp

import (
	"context"
	"encoding/json"
	"time"

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

// Initialized asks for the settings and to be told of changes, and then checks the
// folders.
func (s *server) Initialized(context.Context, *protocol.InitializedParams) error {
	s.connected.Store(true)
	s.background(s.begin)
	return nil
}

// settingsPatience is how long the first check waits for the settings.
const settingsPatience = 2 * time.Second

func (s *server) begin(ctx context.Context) {
	s.mutex.Lock()
	can := s.abilities
	s.mutex.Unlock()
	if can.pullsSettings {
		asking, cancel := context.WithTimeout(ctx, settingsPatience)
		s.pullSettings(asking)
		cancel()
	}
	s.publisher.begin()
	s.background(s.watch)
	var list []protocol.Registration
	register := func(id, method string, options any) {
		if encoded, err := json.Marshal(options); err == nil {
			list = append(list, protocol.Registration{ID: id, Method: method, RegisterOptions: encoded})
		}
	}
	if can.watchesFiles {
		// Any file can be the input of a generator.
		register("files", protocol.MethodWorkspaceDidChangeWatchedFiles,
			map[string]any{"watchers": []any{map[string]any{"globPattern": "**/*"}}})
	}
	if can.registersSettings {
		register("settings", protocol.MethodWorkspaceDidChangeConfiguration, map[string]any{"section": section})
	}
	if len(list) == 0 {
		return
	}
	if err := s.client.RegisterCapability(ctx, &protocol.RegistrationParams{Registrations: list}); err != nil && ctx.Err() == nil {
		s.log("registering for changes: %v", err)
	}
}
