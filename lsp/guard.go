package lsp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// guard keeps what goes wrong in one message to that message: a panic is the
// request's error, and a notification that makes no sense is only logged, since
// jsonrpc2 would close the connection.
func (s *server) guard(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, request *jsonrpc2.Request) (result any, err error) {
		method, isCall := string([]byte(request.Method())), request.IsCall()
		started := time.Now()
		defer func() {
			defer func() { s.traced(method, started, request, err) }()
			if reason := recover(); reason != nil {
				s.logStack(method, reason, debug.Stack())
				result, err = nil, brokeDown(method)
			}
			if err == nil {
				return
			}
			if !isCall {
				if !errors.Is(err, jsonrpc2.ErrMethodNotFound) {
					s.log("%s: %v", method, err)
				}
				result, err = nil, nil
				return
			}
			err = asResponse(method, err)
		}()
		if err := s.admit(method, isCall); err != nil {
			return nil, err
		}
		result, err = next(ctx, request)
		if method == protocol.MethodInitialize && errors.Is(err, jsonrpc2.ErrParse) {
			return s.initializeWithout(ctx, request.Params())
		}
		return result, err
	}
}

// brokeDown is the answer to a request that panicked.
func brokeDown(method string) error {
	return jsonrpc2.NewError(jsonrpc2.InternalError, fmt.Sprintf("kls crashed in %s; this is a bug in kls, and the server's log has the stack", method))
}

// admit refuses what may not be asked before initialize and after shutdown.
func (s *server) admit(method string, isCall bool) error {
	switch phase := s.phase.Load(); {
	case method == protocol.MethodExit || method == protocol.MethodCancelRequest:
		return nil
	case phase < running && method != protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "initialize comes first")
	case phase == shutDown && isCall:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is shutting down")
	}
	return nil
}

// asResponse gives cancellation its own code, and so parameters that cannot be read: the
// message was JSON. What is not offered is not, whatever the parameters.
func asResponse(method string, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return protocol.ErrRequestCancelled
	case errors.Is(err, jsonrpc2.ErrParse) && slices.Contains(unoffered, method):
		return jsonrpc2.ErrMethodNotFound
	case errors.Is(err, jsonrpc2.ErrParse):
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, fmt.Sprintf("the parameters cannot be read: %v", err))
	}
	return err
}

// unoffered are the requests of the protocol that have no answer here: protocol reads
// their parameters before it says so.
var unoffered = []string{
	protocol.MethodTextDocumentWillSaveWaitUntil, protocol.MethodTextDocumentTypeDefinition,
	protocol.MethodTextDocumentPrepareTypeHierarchy, protocol.MethodTypeHierarchySupertypes, protocol.MethodTypeHierarchySubtypes,
	protocol.MethodDocumentLinkResolve, protocol.MethodTextDocumentInlineValue, protocol.MethodInlayHintResolve,
	protocol.MethodTextDocumentMoniker, protocol.MethodTextDocumentSignatureHelp,
	protocol.MethodTextDocumentDocumentColor, protocol.MethodTextDocumentColorPresentation,
	protocol.MethodTextDocumentRangeFormatting, protocol.MethodTextDocumentRangesFormatting, protocol.MethodTextDocumentOnTypeFormatting,
	protocol.MethodTextDocumentInlineCompletion, protocol.MethodWorkspaceSymbolResolve,
	protocol.MethodWorkspaceWillCreateFiles, protocol.MethodWorkspaceWillDeleteFiles,
}
