package lsp

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/kustomize-lsp/kls/analysis/ide/structure"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
)

var tokenFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) {
		legend := protocol.SemanticTokensLegend{TokenTypes: []string{}, TokenModifiers: []string{}}
		for _, kind := range structure.TokenKinds() {
			legend.TokenTypes = append(legend.TokenTypes, string(kind))
		}
		c.SemanticTokensProvider = &protocol.SemanticTokensOptions{
			Legend: legend, Full: &protocol.SemanticTokensFullDelta{Delta: yes()}, Range: protocol.Boolean(true)}
	},
}

// SemanticTokensFull answers textDocument/semanticTokens/full.
func (s *server) SemanticTokensFull(ctx context.Context, params *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	tokens, err := q.tokens(ctx, text.Span{End: len(q.content)})
	if err != nil {
		return nil, err
	}
	if _, open := q.versions[q.path]; open {
		_, id := s.tokened.replace(q.path, "", tokens.Data)
		tokens.ResultID = &id
	}
	return tokens, nil
}

// SemanticTokensFullDelta answers textDocument/semanticTokens/full/delta: with all
// tokens where the result that the client has is not the last one.
func (s *server) SemanticTokensFullDelta(ctx context.Context, params *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	tokens, err := q.tokens(ctx, text.Span{End: len(q.content)})
	if err != nil {
		return nil, err
	}
	before, id := s.tokened.replace(q.path, params.PreviousResultID, tokens.Data)
	if before == nil {
		tokens.ResultID = &id
		return tokens, nil
	}
	return &protocol.SemanticTokensDelta{ResultID: &id, Edits: tokenEdits(before, tokens.Data)}, nil
}

// tokened are the tokens that a client was told last, of the files that are open.
type tokened struct {
	mutex sync.Mutex
	last  map[string]tokenResult // by path
	count int
}

type tokenResult struct {
	id   string
	data []uint32
}

// replace remembers the tokens of a file under a new id. It returns those that were
// told under the previous one, nil where these are not known.
func (t *tokened) replace(path, previous string, data []uint32) (before []uint32, id string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if last, ok := t.last[path]; ok && last.id == previous {
		before = last.data
	}
	if t.last == nil {
		t.last = map[string]tokenResult{}
	}
	t.count++
	id = strconv.Itoa(t.count)
	t.last[path] = tokenResult{id, data}
	return before, id
}

func (t *tokened) forget(path string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	delete(t.last, path)
}

// tokenEdits returns the one edit that makes the encoded tokens after of those before,
// none where they are the same.
func tokenEdits(before, after []uint32) []protocol.SemanticTokensEdit {
	start, limit := 0, min(len(before), len(after))
	for start < limit && before[start] == after[start] {
		start++
	}
	tail := 0
	for tail < limit-start && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	if start == len(before) && start == len(after) {
		return []protocol.SemanticTokensEdit{}
	}
	return []protocol.SemanticTokensEdit{{
		Start: uint32(start), DeleteCount: uint32(len(before) - start - tail), Data: after[start : len(after)-tail]}}
}

// SemanticTokensRange answers textDocument/semanticTokens/range.
func (s *server) SemanticTokensRange(ctx context.Context, params *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	q, ok := s.askFile(ctx, params.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	return q.tokens(ctx, q.toSpan(params.Range))
}

// tokens encodes those in a span: each as its distance from the one before, its
// length and its number in the legend. What goes over a line's end is left out.
func (q question) tokens(ctx context.Context, within text.Span) (*protocol.SemanticTokens, error) {
	tokens, err := structure.Tokens(ctx, q.view, q.path)
	if err != nil {
		return nil, err
	}
	kinds := structure.TokenKinds()
	data := []uint32{}
	var last protocol.Position
	for _, t := range tokens {
		at := fromSpan(q.lines, t.Span, q.encoding)
		if t.Span.Start < within.Start || t.Span.End > within.End || at.Start.Line != at.End.Line {
			continue
		}
		character := at.Start.Character
		if at.Start.Line == last.Line {
			character -= last.Character
		}
		data = append(data, at.Start.Line-last.Line, character, at.End.Character-at.Start.Character, uint32(slices.Index(kinds, t.Kind)), 0)
		last = at.Start
	}
	return &protocol.SemanticTokens{Data: data}, nil
}
