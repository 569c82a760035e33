package lsp

import (
	"context"
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// SetTrace says how much the client wants to hear of the server's work.
func (s *server) SetTrace(_ context.Context, params *protocol.SetTraceParams) error {
	s.setTrace(string(params.Value))
	return nil
}

// setTrace takes off, messages and verbose; anything else changes nothing.
func (s *server) setTrace(level string) {
	switch value := protocol.TraceValue(level); value {
	case protocol.TraceValueOff, protocol.TraceValueMessages, protocol.TraceValueVerbose:
		s.trace.Store(value)
	}
}

// traced tells the client of a message that was handled, if it wants to know.
func (s *server) traced(method string, started time.Time, request *jsonrpc2.Request, err error) {
	level, _ := s.trace.Load().(protocol.TraceValue)
	if level != protocol.TraceValueMessages && level != protocol.TraceValueVerbose {
		return
	}
	params := &protocol.LogTraceParams{Message: fmt.Sprintf("%s took %.1f ms", method, float64(time.Since(started).Microseconds())/1000)}
	if err != nil {
		params.Message += ": " + err.Error()
	}
	if level == protocol.TraceValueVerbose {
		params.Verbose = new(clip(string(request.Params()), maxTraced))
	}
	s.post(func(ctx context.Context) error { return s.client.LogTrace(ctx, params) })
}

// maxTraced is how many bytes of a message a trace repeats.
const maxTraced = 4096

func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:limit] + "…"
}
