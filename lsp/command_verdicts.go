package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/uri"
)

// rootVerdict is what clients are told of a root.
type rootVerdict struct {
	Root     uri.URI `json:"root"`
	Verdict  string  `json:"verdict"`
	Errors   int     `json:"errors"`
	Warnings int     `json:"warnings"`
}

// verdictsCommand tells what becomes of the roots that use a file.
func (s *server) verdictsCommand(ctx context.Context, asked commandCall) (any, error) {
	if err := asked.needsFile(); err != nil {
		return nil, err
	}
	verdicts, err := asked.view.Verdicts(ctx, asked.path)
	if err != nil {
		return nil, err
	}
	return s.fromVerdicts(verdicts), nil
}

func (s *server) fromVerdicts(verdicts []workspace.RootVerdict) []rootVerdict {
	told := make([]rootVerdict, len(verdicts))
	for i, v := range verdicts {
		told[i] = rootVerdict{s.uri(v.Dir), string(v.Verdict), v.Errors, v.Warnings}
	}
	return told
}
