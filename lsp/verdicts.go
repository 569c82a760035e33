package lsp

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// methodVerdicts is a notification of ours, for clients that ask for it by
// initializationOptions: what became of every root.
const methodVerdicts = "kls/verdicts"

type verdictsParams struct {
	Roots []rootVerdict `json:"roots"`
}

// rootVerdict is what clients are told of a root.
type rootVerdict struct {
	Root     uri.URI          `json:"root"`
	Verdict  analysis.Verdict `json:"verdict"`
	Errors   int              `json:"errors"`
	Warnings int              `json:"warnings"`
	// Reason says why it fails or is unknown.
	Reason *verdictReason `json:"reason,omitempty"`
}

type verdictReason struct {
	Message  string            `json:"message"`
	Location protocol.Location `json:"location"`
}

func (s *server) fromVerdicts(view *workspace.View, verdicts []workspace.RootVerdict) []rootVerdict {
	convert := s.newConverter(view)
	converted := make([]rootVerdict, len(verdicts))
	for i, v := range verdicts {
		converted[i] = rootVerdict{Root: s.uri(v.Dir), Verdict: v.Verdict, Errors: v.Errors, Warnings: v.Warnings}
		if d := v.Because; d != nil {
			converted[i].Reason = &verdictReason{d.Message, convert.toLocation(d.Place)}
		}
	}
	return converted
}

// publishVerdicts sends the verdicts of a check that is done, unless they are those
// that were sent last. It is called by the publisher alone.
func (s *server) publishVerdicts(ctx context.Context, view *workspace.View, report *analysis.Report) {
	if !s.initial.Verdicts {
		return
	}
	params := verdictsParams{Roots: s.fromVerdicts(view, workspace.VerdictsOf(report))}
	encoded, err := json.Marshal(params)
	if err != nil || bytes.Equal(encoded, s.publisher.verdicts) {
		return
	}
	if err := s.conn.Notify(ctx, methodVerdicts, json.RawMessage(encoded)); err != nil {
		if ctx.Err() == nil {
			s.log("%s: %v", methodVerdicts, err)
		}
		return
	}
	s.publisher.verdicts = encoded
}
