package lsp

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
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
}

func (s *server) fromVerdicts(verdicts []workspace.RootVerdict) []rootVerdict {
	converted := make([]rootVerdict, len(verdicts))
	for i, v := range verdicts {
		converted[i] = rootVerdict{s.uri(v.Dir), v.Verdict, v.Errors, v.Warnings}
	}
	return converted
}

// publishVerdicts sends the verdicts of a check that is done, unless they are those
// that were sent last. It is called by the publisher alone.
func (s *server) publishVerdicts(ctx context.Context, report *analysis.Report) {
	if !s.initial.Verdicts {
		return
	}
	params := verdictsParams{Roots: s.fromVerdicts(workspace.VerdictsOf(report))}
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
