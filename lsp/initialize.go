package lsp

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// abilities are what the client can do.
type abilities struct {
	encoding           text.Encoding
	links              bool // definitions with the range that was asked about
	markdown           bool
	relatedInformation bool
	codeDescription    bool
	tags               bool
	watchesFiles       bool // and can be told to
}

// Initialize answers what the server can do, and remembers what the client can.
func (s *server) Initialize(_ context.Context, params *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.phase != uninitialized {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize was sent before")
	}
	s.phase = running
	s.abilities = abilitiesOf(&params.Capabilities)
	if params.ProcessID != nil {
		s.parent = int(*params.ProcessID)
	}
	s.setFolders(foldersOf(params))
	return &protocol.InitializeResult{
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: encodingName(s.encoding),
			TextDocumentSync: &protocol.TextDocumentSyncOptions{
				OpenClose: yes(), Change: new(protocol.TextDocumentSyncKindIncremental), Save: protocol.Boolean(true),
			},
			HoverProvider:      protocol.Boolean(true),
			DefinitionProvider: protocol.Boolean(true),
			Workspace: &protocol.WorkspaceOptions{
				WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{Supported: yes(), ChangeNotifications: protocol.Boolean(true)},
			},
		},
		ServerInfo: protocol.ServerInfo{Name: "kls", Version: protocol.NewOptional(s.options.Version)},
	}, nil
}

func abilitiesOf(c *protocol.ClientCapabilities) abilities {
	var a abilities
	if c.General != nil {
		a.encoding = chooseEncoding(c.General.PositionEncodings)
	}
	if w := c.Workspace; w != nil && w.DidChangeWatchedFiles != nil {
		a.watchesFiles = isTrue(w.DidChangeWatchedFiles.DynamicRegistration)
	}
	if c.TextDocument == nil {
		return a
	}
	if d := c.TextDocument.Definition; d != nil {
		a.links = isTrue(d.LinkSupport)
	}
	if h := c.TextDocument.Hover; h != nil {
		a.markdown = slices.Contains(h.ContentFormat, protocol.MarkupKindMarkdown)
	}
	if p := c.TextDocument.PublishDiagnostics; p != nil {
		a.relatedInformation = isTrue(p.RelatedInformation)
		a.codeDescription = isTrue(p.CodeDescriptionSupport)
		a.tags = len(p.TagSupport.ValueSet) > 0
	}
	return a
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

func isTrue(b *bool) bool { return b != nil && *b }

func yes() *bool { return new(true) }
