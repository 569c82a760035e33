package lsp

import (
	"context"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// shows are the things that a client shows of builds and asked for.
type shows struct {
	lenses, hints atomic.Bool
}

// refresh has the client ask again for what it shows of builds, once all that changed
// is checked.
func (s *server) refresh(ctx context.Context, view *workspace.View) {
	s.mutex.Lock()
	able := s.abilities
	s.mutex.Unlock()
	s.refreshVirtual(ctx, view)
	if able.refreshesLenses && s.shows.lenses.Swap(false) {
		err := s.client.CodeLensRefresh(ctx)
		s.logFailure("workspace/codeLens/refresh", err, ctx)
		s.shows.lenses.CompareAndSwap(false, err != nil) // the client may not have been told
	}
	if able.refreshesHints && s.shows.hints.Swap(false) {
		err := s.client.InlayHintRefresh(ctx)
		s.logFailure("workspace/inlayHint/refresh", err, ctx)
		s.shows.hints.CompareAndSwap(false, err != nil)
	}
}

func (s *server) logFailure(method string, err error, ctx context.Context) {
	if err != nil && ctx.Err() == nil {
		s.log("%s: %v", method, err)
	}
}
