package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
)

// warn tells of something that is not as it should be, and that the user can mend.
func (s *server) warn(format string, args ...any) {
	s.logLine(protocol.MessageTypeWarning, fmt.Sprintf(format, args...))
}

// log tells of a fault of the server or of the client.
func (s *server) log(format string, args ...any) {
	s.logLine(protocol.MessageTypeError, fmt.Sprintf(format, args...))
}

// logLine puts a line into the client's log, and into the server's own before there is
// one. It never waits for the client.
func (s *server) logLine(kind protocol.MessageType, message string) {
	if !s.connected.Load() {
		s.record(message)
		return
	}
	s.post(func(ctx context.Context) error {
		return s.client.LogMessage(ctx, &protocol.LogMessageParams{Type: kind, Message: message})
	})
}

// logStack tells of a panic: what the client's log gets is for people, the stack
// goes into the server's own.
func (s *server) logStack(what string, reason any, stack []byte) {
	s.record(fmt.Sprintf("%s panicked: %v\n%s", what, reason, stack))
	s.log("%s panicked: %v", what, reason)
}

// record puts a line into the server's own log.
func (s *server) record(message string) {
	if s.options.Log == nil {
		return
	}
	s.logMutex.Lock()
	defer s.logMutex.Unlock()
	fmt.Fprintln(s.options.Log, message)
}

// logWriter lets the checks write to the server's own log.
type logWriter struct{ server *server }

// Write implements io.Writer.
func (w logWriter) Write(text []byte) (int, error) {
	w.server.record(string(text))
	return len(text), nil
}

// maxPosted is how many notifications wait for a client that is slow to take them;
// more are dropped: nothing depends on a log.
const maxPosted = 256

// post sends a notification on which nothing depends, in the order of the calls.
func (s *server) post(send func(context.Context) error) {
	select {
	case s.posted <- send:
	default:
	}
}

// sendPosted runs until the server ends. What the client does not take is lost.
func (s *server) sendPosted(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case send := <-s.posted:
			if err := send(ctx); err != nil && ctx.Err() == nil {
				s.record(err.Error())
			}
		}
	}
}
