package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/kustomize-lsp/kls/analysis/workspace"
	"go.lsp.dev/protocol"
)

type progressAbilities struct {
	showsProgress bool
}

var progressFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		a.showsProgress = isTrue(c.Window.WorkDoneProgress)
	},
}

const (
	// progressAfter is how long a check may take before it is worth showing.
	progressAfter    = 500 * time.Millisecond
	progressInterval = 200 * time.Millisecond
)

// showProgress tells the client of a check that takes long. The function that it
// returns ends that, and may be called again.
func (s *server) showProgress(ctx context.Context, view *workspace.View) (ended func()) {
	s.mutex.Lock()
	shows := s.showsProgress
	s.mutex.Unlock()
	if !shows {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	gone := make(chan struct{})
	s.background(func(life context.Context) {
		defer close(gone)
		select {
		case <-ctx.Done():
		case <-s.options.After(progressAfter):
			s.reportProgress(ctx, life, view)
		}
	})
	return sync.OnceFunc(func() {
		cancel()
		<-gone
	})
}

// reportProgress reports until the context is done.
func (s *server) reportProgress(ctx, life context.Context, view *workspace.View) {
	token := protocol.String(fmt.Sprintf("kls-check-%d", s.checks.Add(1)))
	if err := s.client.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: token}); err != nil {
		return // the client does not want it now, or the check is done
	}
	send := func(ctx context.Context, value any) {
		encoded, err := json.Marshal(value)
		if err == nil {
			_ = s.client.Progress(ctx, &protocol.ProgressParams{Token: token, Value: encoded}) // nothing depends on it
		}
	}
	message, percentage := progressOf(view)
	send(ctx, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: "Checking kustomizations", Message: &message, Percentage: &percentage})
	defer send(life, &protocol.WorkDoneProgressEnd{Kind: "end"})
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.options.After(progressInterval):
			message, percentage := progressOf(view)
			send(ctx, &protocol.WorkDoneProgressReport{Kind: "report", Message: &message, Percentage: &percentage})
		}
	}
}

func progressOf(view *workspace.View) (message string, percentage uint32) {
	done, total := view.Progress()
	if total == 0 {
		return "looking for kustomizations", 0
	}
	return fmt.Sprintf("%d of %d", done, total), uint32(100 * done / total)
}
