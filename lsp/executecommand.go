package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// command answers one command; its arguments are an object.
type command func(s *server, ctx context.Context, asked commandCall) (any, error)

// commands are all that there are, each in a file of its own.
var commands = map[string]command{
	"kls.explain":     (*server).explainCommand,
	"kls.graph":       (*server).graphCommand,
	"kls.preview":     (*server).previewCommand,
	"kls.previewDiff": (*server).previewDiffCommand,
	"kls.set":         (*server).setCommand,
	"kls.verdicts":    (*server).verdictsCommand,
}

var commandFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		c.ExecuteCommandProvider = protocol.ExecuteCommandOptions{Commands: commandNames}
	},
}

// commandNames are the names in order; a list of its own, since commands refer to
// the server and the server to its features.
var commandNames = []string{"kls.explain", "kls.graph", "kls.preview", "kls.previewDiff", "kls.set", "kls.verdicts"}

// commandCall is a command with what it is asked of.
type commandCall struct {
	abilities
	now  moment
	view *workspace.View
	// The arguments that commands have.
	URI      uri.URI            `json:"uri"`
	Resource string             `json:"resource"`
	Position *protocol.Position `json:"position"`
	Against  string             `json:"against"`
	setArguments
	// Deployment names a deployment of the checkout that the URI lies in.
	Deployment string `json:"deployment"`
	// path is the file or folder that the URI names, empty for none. For a virtual
	// document it is its root's folder, and virtual is the document.
	path    string
	virtual *virtual
}

// ExecuteCommand answers workspace/executeCommand.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	run, ok := commands[params.Command]
	if !ok {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("%s is not a command of kls; the commands are %v", params.Command, slices.Sorted(maps.Keys(commands))))
	}
	now := s.moment()
	jsonrpc2.Async(ctx)
	asked, err := s.commandCall(now, params.Arguments)
	if err != nil {
		return nil, err
	}
	result, err := run(s, ctx, asked)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// commandCall reads the arguments.
func (s *server) commandCall(now moment, arguments []protocol.LSPAny) (commandCall, error) {
	asked := commandCall{abilities: s.abilities, now: now, view: now.view}
	if len(arguments) > 0 {
		err := json.Unmarshal(arguments[0], &asked.URI) // as those write who call it by hand
		if err != nil {
			err = json.Unmarshal(arguments[0], &asked)
		}
		if err != nil {
			return asked, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("the argument is an object with a uri: %v", err))
		}
	}
	if asked.URI == "" {
		return asked, nil
	}
	if v, ok := s.virtualAt(now, asked.URI); ok {
		asked.virtual, asked.path = &v, v.root
		return asked, nil
	}
	now, path, ok := now.at(asked.URI)
	if !ok {
		return asked, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("%s is not a file", asked.URI))
	}
	asked.now, asked.view, asked.path = now, now.view, path
	return asked, nil
}

// needsFile refuses a command without a URI.
func (c commandCall) needsFile() error {
	if c.path == "" {
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, `the command is asked of a file or a folder: its argument is {"uri": "file:///…"}`)
	}
	return nil
}
