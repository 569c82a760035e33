package lsp

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/kustomize-lsp/kls/analysis/ide/include"
	"go.lsp.dev/uri"
)

// graphResult is what kls.graph answers.
type graphResult struct {
	// HTML is a page that needs nothing else, Graph what kls graph --format json
	// prints.
	HTML  string          `json:"html"`
	Graph json.RawMessage `json:"graph"`
	// File is the temporary file with the page, for a client without virtual
	// documents.
	File *uri.URI `json:"file,omitempty"`
}

// graphCommand tells what includes what, at and under a path or in the workspace.
func (s *server) graphCommand(ctx context.Context, asked commandCall) (any, error) {
	made, err := include.Graph(ctx, asked.view, asked.path, s.baseOf(asked.path))
	if err != nil {
		return nil, err
	}
	var page, data bytes.Buffer
	if err := made.WriteHTML(&page); err != nil {
		return nil, err
	}
	if err := made.WriteJSON(&data); err != nil {
		return nil, err
	}
	result := graphResult{HTML: page.String(), Graph: data.Bytes()}
	result.File, err = s.showScratch(ctx, asked.abilities, virtual{root: s.baseOf(asked.path), resource: asked.path}, scratchPage, page.Bytes(), 0)
	return result, err
}

// baseOf is folderOf for callers that do not hold the mutex.
func (s *server) baseOf(path string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.folderOf(path)
}
