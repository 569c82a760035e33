package lsp

import (
	"context"
	"encoding/json"

	"github.com/kustomize-lsp/kls/analysis/ide/action"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// actionAbilities are which parts of a code action the client understands.
type actionAbilities struct {
	literals  bool // actions at all, as opposed to commands
	preferred bool
	disabled  bool
	resolves  bool // asks for the edit once somebody wants it
}

var actionFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		a.editAbilities = editAbilitiesOf(c.Workspace.WorkspaceEdit)
		if known := c.TextDocument.CodeAction; known != nil {
			a.actionAbilities = actionAbilities{
				literals:  len(known.CodeActionLiteralSupport.CodeActionKind.ValueSet) > 0,
				preferred: isTrue(known.IsPreferredSupport),
				disabled:  isTrue(known.DisabledSupport),
				resolves:  isTrue(known.DataSupport) && can(known.ResolveSupport.Properties, "edit"),
			}
		}
	},
	offer: func(a *abilities, c *protocol.ServerCapabilities) {
		if !a.literals {
			c.CodeActionProvider = protocol.Boolean(true) // all that such a client may be told
			return
		}
		options := &protocol.CodeActionOptions{ResolveProvider: yes()}
		for _, kind := range action.Kinds() {
			options.CodeActionKinds = append(options.CodeActionKinds, protocol.CodeActionKind(kind))
		}
		c.CodeActionProvider = options
	},
}

// codeRequestFailed is the protocol's code for a request that was sent rightly and
// cannot be answered.
const codeRequestFailed jsonrpc2.Code = -32803

// CodeAction answers textDocument/codeAction.
func (s *server) CodeAction(ctx context.Context, params *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	automatic := params.Context.TriggerKind == protocol.CodeActionTriggerKindAutomatic
	if now := s.moment(); !automatic {
		if v, ok := s.virtualAt(now, params.TextDocument.URI); ok {
			jsonrpc2.Async(ctx)
			asked := commandCall{abilities: s.abilities, now: now, view: now.view, path: v.root, virtual: &v}
			return s.changeActions(ctx, asked, params)
		}
	}
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok || !q.literals {
		return nil, nil
	}
	query := q.toActionQuery(params)
	actions, err := action.At(ctx, q.view, query)
	if err != nil {
		return nil, err
	}
	convert := s.newConverter(q.view)
	var out []protocol.CommandOrCodeAction
	for _, a := range actions {
		converted := convert.fromAction(a)
		if q.resolves && a.Costs && (automatic || a.Kind == action.FixAll) {
			if converted.Data, err = json.Marshal(pendingAction{params.TextDocument.URI, q.version(), query.Span, a.ID}); err != nil {
				return nil, err
			}
			out = append(out, converted)
			continue
		}
		reason, err := convert.complete(ctx, converted, q.moment, a)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			if !q.disabled {
				continue
			}
			converted.Disabled = protocol.CodeActionDisabled{Reason: reason}
		}
		out = append(out, converted)
	}
	if automatic {
		return out, nil
	}
	changes, err := s.changeActions(ctx, commandCall{abilities: s.abilities, now: q.moment, view: q.view, path: q.path}, params)
	return append(out, changes...), err
}

// pendingAction finds an action again whose edit was not made at once.
type pendingAction struct {
	URI     uri.URI   `json:"uri"`
	Version int32     `json:"version"`
	Span    text.Span `json:"span"` // in bytes
	ID      string    `json:"id"`
}

// CodeActionResolve answers codeAction/resolve.
func (s *server) CodeActionResolve(ctx context.Context, params *protocol.CodeAction) (*protocol.CodeAction, error) {
	var pending pendingAction
	if len(params.Data) == 0 || json.Unmarshal(params.Data, &pending) != nil {
		jsonrpc2.Async(ctx)
		return params, nil
	}
	q, ok := s.askFile(ctx, pending.URI)
	if !ok || q.version() != pending.Version {
		return nil, jsonrpc2.NewError(protocol.CodeContentModified, "the file was changed since")
	}
	actions, err := action.At(ctx, q.view, action.Query{File: q.path, Span: pending.Span, Only: onlyKind(params.Kind)})
	if err != nil {
		return nil, err
	}
	for _, a := range actions {
		if a.ID != pending.ID {
			continue
		}
		reason, err := s.newConverter(q.view).complete(ctx, params, q.moment, a)
		if err == nil && reason != "" {
			err = jsonrpc2.NewError(codeRequestFailed, a.Title+": "+reason)
		}
		return params, err
	}
	return nil, jsonrpc2.NewError(protocol.CodeContentModified, "this action no longer exists")
}

func onlyKind(kind *protocol.CodeActionKind) []action.Kind {
	if kind == nil {
		return nil
	}
	return []action.Kind{action.Kind(*kind)}
}

func (q question) toActionQuery(params *protocol.CodeActionParams) action.Query {
	query := action.Query{File: q.path, Span: q.toSpan(params.Range)}
	for _, d := range params.Context.Diagnostics {
		query.Shown = append(query.Shown, q.toSpan(d.Range))
	}
	for _, kind := range params.Context.Only {
		query.Only = append(query.Only, action.Kind(kind))
	}
	return query
}

func (c *converter) fromAction(a *action.Action) *protocol.CodeAction {
	kind := protocol.CodeActionKind(a.Kind)
	out := &protocol.CodeAction{Title: a.Title, Kind: &kind}
	if a.Mends != nil {
		out.Diagnostics = []protocol.Diagnostic{c.fromDiagnostic(*a.Mends)}
	}
	if c.preferred && a.Preferred {
		out.IsPreferred = yes()
	}
	return out
}

// complete adds the edit, or returns the reason why there is none.
func (c *converter) complete(ctx context.Context, out *protocol.CodeAction, now moment, a *action.Action) (reason string, err error) {
	edit, reason, err := a.Edit(ctx)
	if err != nil || reason != "" {
		return reason, err
	}
	if out.Edit = c.fromEdit(now, edit); out.Edit == nil {
		reason = "the editor cannot create files"
	}
	return reason, nil
}
