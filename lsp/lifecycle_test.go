package lsp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
	"go.lsp.dev/protocol"
)

// TestPanic breaks one request, and the server lives.
func TestPanic(t *testing.T) {
	e := open(t, setup{source: panicking{newSlowSource(shop).Source}, folders: []string{}, tree: shop})
	_, err := e.server.Hover(e.context(), &protocol.HoverParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("panic.yaml")}}})
	if err == nil || !strings.Contains(err.Error(), "crashed") {
		t.Errorf("the request that panics is answered with %v", err)
	}
	if log := e.log.String(); !strings.Contains(log, "no such luck") || !strings.Contains(log, "goroutine") {
		t.Errorf("the log has no stack: %s", log)
	}
	e.open("overlay/kustomization.yaml")
	e.expect(typo)
	e.quit()
}

type panicking struct{ vfs.Source }

func (p panicking) ReadFile(path string) ([]byte, error) {
	if strings.HasSuffix(path, "panic.yaml") {
		panic("no such luck")
	}
	return p.Source.ReadFile(path)
}

// TestLifecycle holds the order of initialize, shutdown and exit.
func TestLifecycle(t *testing.T) {
	t.Run("before initialize", func(t *testing.T) {
		e := start(t, setup{tree: shop})
		if _, err := e.server.Hover(e.context(), &protocol.HoverParams{}); err == nil || !strings.Contains(err.Error(), "initialize") {
			t.Errorf("a hover before initialize is answered with %v", err)
		}
		e.open("overlay/kustomization.yaml") // is ignored
		e.initialize(setup{folders: []string{root + "/overlay"}})
		e.expect(typo)
	})
	t.Run("after shutdown", func(t *testing.T) {
		e := open(t, setup{tree: shop})
		e.must(e.server.Shutdown(e.context()))
		if _, err := e.server.Hover(e.context(), &protocol.HoverParams{}); err == nil || !strings.Contains(err.Error(), "shutting down") {
			t.Errorf("a hover after shutdown is answered with %v", err)
		}
		e.must(e.server.Exit(e.context()))
		e.expectEnd(nil)
	})
	t.Run("exit without shutdown", func(t *testing.T) {
		e := open(t, setup{tree: shop})
		e.must(e.server.Exit(e.context()))
		e.expectEnd(lsp.ErrNoShutdown)
	})
	t.Run("unknown messages", func(t *testing.T) {
		e := open(t, setup{tree: shop})
		e.must(e.conn.Notify(e.context(), "$/nothing", map[string]any{"a": 1}))
		e.must(e.conn.Notify(e.context(), protocol.MethodTextDocumentDidOpen, []int{1}))
		e.must(e.conn.Notify(e.context(), protocol.MethodCancelRequest, map[string]any{"id": 1.5}))
		if _, err := e.conn.Call(e.context(), "kls/nothing", nil, nil); err == nil || strings.Contains(err.Error(), "panick") {
			t.Errorf("an unknown request is answered with %v", err)
		}
		e.expect(typo)
		e.quit()
	})
	t.Run("the client is gone", func(t *testing.T) {
		pid := int32(4242)
		gone := make(chan struct{})
		e := open(t, setup{tree: shop, processID: &pid, options: func(o *lsp.Options) {
			o.Alive = func(asked int) bool { return asked != 4242 || !isClosed(gone) }
			o.After = func(d time.Duration) <-chan time.Time { return time.After(min(d, 10*time.Millisecond)) }
		}})
		e.expect(typo)
		close(gone)
		e.expectEnd(nil)
	})
	t.Run("the pipe is closed", func(t *testing.T) {
		e := open(t, setup{tree: shop})
		e.expect(typo)
		_ = e.conn.Close()
		e.expectEnd(nil)
	})
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// TestNothingButMessages holds that all that is written can be read as messages, also
// where what comes in is none.
func TestNothingButMessages(t *testing.T) {
	in := strings.NewReader("Content-Length: 2\r\n\r\nnoContent-Length: two\r\n\r\n")
	var out bytes.Buffer
	if err := lsp.Serve(context.Background(), in, &out, lsp.Options{Source: vfs.Memory(nil)}); err != nil {
		t.Errorf("the server ended with %v, not with its input", err)
	}
	if !strings.HasPrefix(out.String(), "Content-Length: ") || strings.Count(out.String(), "-32700") != 2 {
		t.Errorf("want two answers with -32700 and nothing else; written: %q", out.String())
	}
}

// TestExitAtTheEnd says exit and closes at once. The server is slow to look, so that
// it notices both together: the exit counts.
func TestExitAtTheEnd(t *testing.T) {
	message := `{"jsonrpc":"2.0","method":"exit"}`
	slow := func(time.Duration) <-chan time.Time {
		time.Sleep(20 * time.Millisecond)
		return nil
	}
	for range 30 {
		in := strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message))
		if err := lsp.Serve(t.Context(), in, io.Discard, lsp.Options{After: slow}); !errors.Is(err, lsp.ErrNoShutdown) {
			t.Fatalf("it ended with %v", err)
		}
	}
}
