package lsp

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Initialize answers what the server can do, and remembers what the client can.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.phase != uninitialized {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize was sent before")
	}
	s.phase = running
	s.abilities = abilitiesOf(params)
	if params.ProcessID != nil {
		s.parent = int(*params.ProcessID)
	}
	s.setFolders(foldersOf(params))
	s.setTrace(string(params.Trace))
	first, err := readSettings(s.initial.Settings)
	if err != nil {
		s.warn("settings: %v", err)
	}
	s.settings = []scoped{{settings: first}}
	s.setTrace(first.Trace)
	s.view = s.view.Configured(s.defaults(), s.maxMemory())
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "kls", Version: protocol.NewOptional(s.options.Version)},
	}, nil
}

func foldersOf(params *protocol.InitializeParams) []uri.URI {
	if folders, ok := params.WorkspaceFolders.Get(); ok {
		var list []uri.URI
		for _, f := range folders {
			list = append(list, f.URI)
		}
		return list
	}
	if params.RootURI != nil {
		return []uri.URI{*params.RootURI}
	}
	return nil
}
