package lsp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
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
	s.setFolders(list)
	s.mutex.Unlock()
	s.publisher.wake()
	return nil
}

// setFolders looks into the folders, and where no folder was opened, into those of
// the open files. The caller holds the mutex.
func (s *server) setFolders(list []uri.URI) {
	s.folders = nil
	for _, u := range list {
		if path, ok := filePath(u); ok {
			s.folders = append(s.folders, folder{uri: u, given: path, real: realPath(s.view, path)})
		}
	}
	s.view = s.view.In(s.lookedInto())
}

// lookedInto returns the folders, and for each open file that is in none of them
// the nearest one with a kustomization. The caller holds the mutex.
func (s *server) lookedInto() []string {
	var dirs []string
	for _, f := range s.folders {
		dirs = append(dirs, f.real)
	}
	for path := range s.documents {
		if slices.ContainsFunc(dirs, func(dir string) bool { return vfs.Below(dir, path) }) {
			continue
		}
		if dir, ok := ide.FolderOf(s.view.Files(), path); ok {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

func isTrue(b *bool) bool { return b != nil && *b }

func yes() *bool { return new(true) }
