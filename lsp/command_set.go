package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/action"
	"github.com/kustomize-lsp/kls/analysis/ide/change"
	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// setArguments are those of kls.set alone.
type setArguments struct {
	// Value is YAML. Without it and without Unset the answer says where the value could be written.
	Value *string `json:"value"`
	Unset bool    `json:"unset"`
	Only  bool    `json:"only"`
	// Layer is the folder to write in; the root's where it is empty.
	Layer uri.URI `json:"layer"`
}

// setChoice is a kustomization in which a value could be changed: with a value, what kls.set is asked next.
type setChoice struct {
	Title    string  `json:"title"`
	URI      uri.URI `json:"uri"`
	Layer    uri.URI `json:"layer"`
	Resource string  `json:"resource"`
	Current  string  `json:"current"`
}

// setResult is what kls.set answers: choices where no value was given, else an edit, which is not made yet, or why there is none.
type setResult struct {
	Choices []setChoice             `json:"choices,omitempty"`
	Edit    *protocol.WorkspaceEdit `json:"edit,omitempty"`
	Diff    string                  `json:"diff,omitempty"`
	Said    []string                `json:"said,omitempty"`
	Refused string                  `json:"refused,omitempty"`
}

// setCommand plans the change of a rendered value, or says where the one at a position could be changed.
func (s *server) setCommand(ctx context.Context, asked commandCall) (any, error) {
	if err := asked.needsFile(); err != nil {
		return nil, err
	}
	if asked.Value == nil && !asked.Unset {
		choices, err := s.setChoices(ctx, asked)
		return setResult{Choices: choices}, err
	}
	if asked.Resource == "" {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, `kls.set takes a "resource", as in "Deployment/web:spec.replicas"`)
	}
	root, ok, err := asked.view.RootFor(ctx, asked.path)
	if err != nil || !ok {
		return nil, err
	}
	wish := change.Wish{Root: root, Address: asked.Resource, Unset: asked.Unset, Only: asked.Only}
	if asked.Value != nil {
		wish.Value = *asked.Value
	}
	if asked.Layer != "" {
		path, ok := asked.now.path(asked.Layer)
		if !ok {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, "layer is not a folder")
		}
		wish.Layer = path
	}
	answer, err := change.Plan(ctx, asked.view, wish)
	if err != nil || answer.Refused != "" {
		if err != nil {
			return nil, err
		}
		return setResult{Refused: answer.Refused}, nil
	}
	result := setResult{Diff: answer.Diff, Said: answer.Said}
	if result.Edit = s.newConverter(asked.view).fromEdit(asked.now, answer.Edit); result.Edit == nil {
		return setResult{Refused: "the editor cannot create files"}, nil
	}
	return result, nil
}

// setChoices are those for what an address names, for a line of a rendered text, or for a position of a file.
func (s *server) setChoices(ctx context.Context, asked commandCall) ([]setChoice, error) {
	var list []change.Choice
	switch {
	case asked.Resource != "":
		dir, ok, err := asked.view.RootFor(ctx, asked.path)
		if err != nil || !ok {
			return nil, err
		}
		answer, err := preview.ExplainAddress(ctx, asked.view, dir, asked.Resource)
		if err != nil || answer == nil {
			return nil, err
		}
		if answer.Missing != nil {
			return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, missingMessage(answer.Missing))
		}
		if list, err = change.OfRendered(ctx, asked.view, dir, answer.Explanation); err != nil {
			return nil, err
		}
	case asked.Position == nil:
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, `kls.set takes a "position" or a "resource"`)
	default:
		var err error
		if list, err = asked.choicesAt(ctx, *asked.Position); err != nil {
			return nil, err
		}
	}
	return s.fromChoices(list), nil
}

// choicesAt are the choices at a position.
func (c commandCall) choicesAt(ctx context.Context, at protocol.Position) ([]change.Choice, error) {
	if c.virtual != nil {
		e, err := explainVirtual(ctx, c.view, *c.virtual, toPosition(at).Line)
		if err != nil || e == nil {
			return nil, err
		}
		return change.OfRendered(ctx, c.view, c.virtual.root, e)
	}
	content, err := readFile(c.view, c.path)
	if err != nil {
		return nil, nil // there is no such file
	}
	return change.OfFile(ctx, c.view, c.path, text.NewLines(content).PositionToOffset(toPosition(at), c.encoding))
}

// changeActions offer to change the rendered value at a position, to a client that can ask for another one.
func (s *server) changeActions(ctx context.Context, asked commandCall, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	kind := protocol.CodeActionKind(action.RefactorRewrite)
	isWanted := func(only protocol.CodeActionKind) bool {
		return kind == only || strings.HasPrefix(string(kind), string(only)+".")
	}
	if only := params.Context.Only; !s.initial.Changes || !asked.literals || len(only) > 0 && !slices.ContainsFunc(only, isWanted) {
		return nil, nil
	}
	list, err := asked.choicesAt(ctx, params.Range.Start)
	if err != nil {
		return nil, err
	}
	var actions []protocol.CommandOrCodeAction
	for _, c := range s.fromChoices(list) {
		argument, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		title := c.Title + "…"
		actions = append(actions, &protocol.CodeAction{Title: title, Kind: &kind,
			Command: protocol.Command{Title: title, Command: "kls.change", Arguments: []protocol.LSPAny{argument}}})
	}
	return actions, nil
}

func (s *server) fromChoices(list []change.Choice) []setChoice {
	choices := make([]setChoice, len(list))
	for i, c := range list {
		choices[i] = setChoice{c.Title, s.uri(filepath.Clean(c.Root)), s.uri(filepath.Clean(c.Layer)), c.Address, c.Value}
	}
	return choices
}
