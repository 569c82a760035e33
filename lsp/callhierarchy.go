package lsp

import (
	"context"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/include"
	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
)

// The call hierarchy is the include graph: a kustomization "calls" what it includes.
var callHierarchyFeature = feature{
	offer: func(_ *abilities, c *protocol.ServerCapabilities) { c.CallHierarchyProvider = protocol.Boolean(true) },
}

// PrepareCallHierarchy answers textDocument/prepareCallHierarchy.
func (s *server) PrepareCallHierarchy(ctx context.Context, params *protocol.CallHierarchyPrepareParams) ([]protocol.CallHierarchyItem, error) {
	q, ok := s.ask(ctx, params.TextDocumentPositionParams)
	if !ok {
		return nil, nil
	}
	item, ok, err := include.ItemAt(ctx, q.view, q.path, q.offset)
	if err != nil || !ok {
		return nil, err
	}
	return []protocol.CallHierarchyItem{s.newConverter(q.view).fromIncludeItem(item)}, nil
}

// IncomingCalls answers callHierarchy/incomingCalls.
func (s *server) IncomingCalls(ctx context.Context, params *protocol.CallHierarchyIncomingCallsParams) ([]protocol.CallHierarchyIncomingCall, error) {
	q, ok := s.askFile(ctx, params.Item.URI)
	if !ok {
		return nil, nil
	}
	found, err := include.Includers(ctx, q.view, q.path)
	if err != nil {
		return nil, err
	}
	c := s.newConverter(q.view)
	var calls []protocol.CallHierarchyIncomingCall
	for _, f := range found {
		calls = append(calls, protocol.CallHierarchyIncomingCall{From: c.fromIncludeItem(f.Item), FromRanges: c.toRanges(f.Item.File, f.Spans)})
	}
	return calls, nil
}

// OutgoingCalls answers callHierarchy/outgoingCalls.
func (s *server) OutgoingCalls(ctx context.Context, params *protocol.CallHierarchyOutgoingCallsParams) ([]protocol.CallHierarchyOutgoingCall, error) {
	q, ok := s.askFile(ctx, params.Item.URI)
	if !ok {
		return nil, nil
	}
	c := s.newConverter(q.view)
	var calls []protocol.CallHierarchyOutgoingCall
	for _, f := range include.Included(q.view, q.path) {
		calls = append(calls, protocol.CallHierarchyOutgoingCall{To: c.fromIncludeItem(f.Item), FromRanges: c.toRanges(q.path, f.Spans)})
	}
	return calls, nil
}

func (c *converter) fromIncludeItem(item include.Item) protocol.CallHierarchyItem {
	head := c.toRange(include.Head(c.view, item.File))
	return protocol.CallHierarchyItem{Name: item.Name, Detail: &item.Detail, Kind: symbolKinds[item.Kind],
		URI: c.server.uri(item.File), Range: head, SelectionRange: head}
}

func (c *converter) toRanges(file string, spans []text.Span) []protocol.Range {
	ranges := []protocol.Range{}
	for _, span := range spans {
		ranges = append(ranges, c.toRange(analysis.Place{File: file, Span: span}))
	}
	return ranges
}
