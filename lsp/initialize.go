package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Initialize answers what the server can do, and remembers what the client can.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	if !s.phase.CompareAndSwap(uninitialized, initializing) {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize was sent before")
	}
	s.abilities = abilitiesOf(params) // nobody reads them before the phase is another, and they stay as they are
	s.setTrace(string(params.Trace))
	first, err := readSettings(s.initial.Settings)
	if err != nil {
		s.warn("settings: %v", err)
	}
	s.setTrace(first.Trace)
	s.mutex.Lock()
	if params.ProcessID != nil {
		s.parent = int(*params.ProcessID)
	}
	s.settings = []scoped{{settings: first}}
	s.view = s.view.Configured(s.defaults(), s.maxMemory())
	s.mutex.Unlock()
	s.setFolders(foldersOf(params))
	s.phase.Store(running)
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "kls", Version: protocol.NewOptional(s.options.Version)},
	}, nil
}

// initializeWithout initializes without what cannot be read: of a client that says one odd
// thing, the rest counts.
func (s *server) initializeWithout(ctx context.Context, encoded []byte) (*protocol.InitializeResult, error) {
	var params protocol.InitializeParams
	legible := legiblePart(encoded, func(part json.RawMessage) json.RawMessage { return part })
	if err := protocol.Unmarshal(legible, &params); err != nil {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("the parameters cannot be read: %v", err))
	}
	s.log("initialize: what cannot be read is left out")
	return s.Initialize(ctx, &params)
}

// legiblePart returns what can be read of a part of the parameters of initialize; nil for
// nothing. The whole is what has that part alone.
func legiblePart(part json.RawMessage, whole func(json.RawMessage) json.RawMessage) json.RawMessage {
	var params protocol.InitializeParams
	if err := protocol.Unmarshal(whole(part), &params); err == nil {
		return part
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(part, &fields) != nil || fields == nil {
		return nil
	}
	encode := func(fields map[string]json.RawMessage) json.RawMessage {
		encoded, _ := json.Marshal(fields) // they were JSON before
		return encoded
	}
	for name, value := range fields {
		alone := func(value json.RawMessage) json.RawMessage {
			return whole(encode(map[string]json.RawMessage{name: value}))
		}
		if fields[name] = legiblePart(value, alone); fields[name] == nil {
			delete(fields, name)
		}
	}
	return encode(fields)
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
	if path, ok := params.RootPath.Get(); ok && path != "" {
		return []uri.URI{uri.File(path)}
	}
	return nil
}
