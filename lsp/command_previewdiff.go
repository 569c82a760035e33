package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"
)

type (
	// previewDiffResult is what kls.previewDiff answers.
	previewDiffResult struct {
		Title  string       `json:"title"`
		Before virtualTexts `json:"before"`
		After  virtualTexts `json:"after"`
		Diff   virtualTexts `json:"diff"`
		// File is the temporary file with the difference, for a client without
		// virtual documents.
		File *uri.URI `json:"file,omitempty"`
	}
	virtualTexts struct {
		URI  uri.URI `json:"uri"`
		Text string  `json:"text"`
	}
)

// previewDiffCommand compares what a root renders to with what comes into it, or
// with what the last commit renders to, which is read anew.
func (s *server) previewDiffCommand(ctx context.Context, asked commandCall) (any, error) {
	asked.Against = cmp.Or(asked.Against, againstBase)
	if asked.Against != againstBase && asked.Against != againstHead {
		return nil, jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("against is %s or %s, not %q", againstBase, againstHead, asked.Against))
	}
	now, ok, err := s.virtualFor(ctx, asked)
	if err != nil || !ok {
		return nil, err
	}
	before, diff := now, now
	before.against, diff.against, diff.diff = asked.Against, asked.Against, true
	if asked.Against == againstHead {
		if _, err := s.loadHead(ctx, asked.view, before); err != nil {
			return nil, err
		}
	}
	result := previewDiffResult{Title: diffTitle(now, asked.Against)}
	for _, part := range []struct {
		of  virtual
		out *virtualTexts
	}{{before, &result.Before}, {now, &result.After}, {diff, &result.Diff}} {
		content, err := s.virtualText(ctx, asked.view, part.of)
		if err != nil {
			return nil, err
		}
		*part.out = virtualTexts{s.virtualURI(part.of), content}
	}
	result.File, err = s.showScratch(ctx, asked.abilities, diff, scratchDiff, []byte(result.Diff.Text), 0)
	return result, err
}

func diffTitle(v virtual, against string) string {
	title := filepath.Base(v.root)
	if v.deployment != "" {
		title = v.deployment
	}
	if v.resource != "" {
		title = v.resource + " in " + title
	}
	if against == againstHead {
		return title + ": HEAD ↔ now"
	}
	return title + ": base ↔ now"
}
