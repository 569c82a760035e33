package lsp

import (
	"context"
)

// verdictsCommand tells what becomes of the roots that use a file.
func (s *server) verdictsCommand(ctx context.Context, asked commandCall) (any, error) {
	if err := asked.needsFile(); err != nil {
		return nil, err
	}
	verdicts, err := asked.view.Verdicts(ctx, asked.path)
	if err != nil {
		return nil, err
	}
	return s.fromVerdicts(asked.view, verdicts), nil
}
