package lsp

import "context"

// Shutdown ends the checks; only exit may follow.
func (s *server) Shutdown(context.Context) error {
	s.closeScratch()
	s.phase.Store(shutDown)
	return nil
}

func (s *server) isShutDown() bool { return s.phase.Load() == shutDown }

func (s *server) parentIsGone() bool {
	s.mutex.Lock()
	parent := s.parent
	s.mutex.Unlock()
	return parent != 0 && s.options.Alive != nil && !s.options.Alive(parent)
}
