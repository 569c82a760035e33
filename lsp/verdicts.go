package lsp

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/kustomize-lsp/kls/analysis"
	"go.lsp.dev/uri"
)

// methodVerdicts is a notification of ours, for clients that ask for it by
// initializationOptions: what became of every root.
const methodVerdicts = "kls/verdicts"

type verdictsParams struct {
	Roots []verdictOfRoot `json:"roots"`
}

type verdictOfRoot struct {
	Root     uri.URI          `json:"root"`
	Verdict  analysis.Verdict `json:"verdict"`
	Errors   int              `json:"errors"`
	Warnings int              `json:"warnings"`
}

// tellVerdicts sends the verdicts of a check that is done, unless they are those
// that were sent last. It is called by the publisher alone.
func (s *server) tellVerdicts(ctx context.Context, report *analysis.Report) {
	s.mutex.Lock()
	wanted := s.initial.Verdicts
	s.mutex.Unlock()
	if !wanted {
		return
	}
	params := verdictsParams{Roots: []verdictOfRoot{}}
	at := map[string]int{}
	for _, r := range report.Roots {
		if r.Verdict == analysis.IsComponent {
			continue
		}
		at[r.Dir] = len(params.Roots)
		params.Roots = append(params.Roots, verdictOfRoot{Root: s.uri(r.Dir), Verdict: r.Verdict})
	}
	for _, d := range report.Diagnostics {
		for _, dir := range d.Roots {
			i, ok := at[dir]
			switch {
			case !ok:
			case d.Severity == analysis.Error:
				params.Roots[i].Errors++
			case d.Severity == analysis.Warning:
				params.Roots[i].Warnings++
			}
		}
	}
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
