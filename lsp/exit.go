package lsp

import "context"

// Exit ends the server.
func (s *server) Exit(context.Context) error {
	s.exitOnce.Do(func() { close(s.exited) })
	return nil
}
