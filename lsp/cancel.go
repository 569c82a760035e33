package lsp

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// cancellation ends the context of a request when the client cancels it. That of
// jsonrpc2 derives from the request's own context, which is used again for another
// request while the derived one still looks at it (v1.0.1, a data race for requests
// that are answered at once); this one derives from the connection's.
type cancellation struct {
	// panicked is told of a request that broke down.
	panicked func(method string, reason any, stack []byte)

	mutex   sync.Mutex
	cancels map[jsonrpc2.ID]context.CancelFunc
}

func (c *cancellation) handler(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, request *jsonrpc2.Request) (any, error) {
		if request.Method() == protocol.MethodCancelRequest {
			return nil, c.cancel(request.Params())
		}
		if !request.IsCall() {
			return next(ctx, request)
		}
		id := request.ID()
		cancellable, cancel := context.WithCancel(jsonrpc2.DetachContext(ctx))
		defer cancel()
		c.mutex.Lock()
		c.cancels[id] = cancel
		c.mutex.Unlock()
		defer func() {
			c.mutex.Lock()
			defer c.mutex.Unlock()
			delete(c.cancels, id)
		}()
		return c.run(cancellable, ctx, next, request.Clone())
	}
}

// run answers a request as soon as it is cancelled, also while it is stuck in what
// cannot be interrupted, such as a slow disk. What it does then comes to nothing.
func (c *cancellation) run(ctx, original context.Context, next jsonrpc2.Handler, request *jsonrpc2.Request) (any, error) {
	type outcome struct {
		result   any
		err      error
		panicked any
	}
	within := &requestContext{Context: ctx, request: original}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if o.panicked = recover(); o.panicked != nil {
				c.panicked(request.Method(), o.panicked, debug.Stack())
			}
			done <- o
		}()
		o.result, o.err = next(within, request)
	}()
	select {
	case o := <-done:
		switch {
		case o.panicked != nil:
			return nil, brokeDown(request.Method())
		case ctx.Err() != nil:
			return nil, context.Canceled // the client waits for nothing else
		}
		return o.result, o.err
	case <-ctx.Done():
		within.isOver.Store(true)
		return nil, context.Canceled
	}
}

func (c *cancellation) cancel(encoded []byte) error {
	var params protocol.CancelParams
	if err := protocol.Unmarshal(encoded, &params); err != nil {
		return err
	}
	var id jsonrpc2.ID
	switch named := params.ID.(type) {
	case protocol.Integer:
		id = jsonrpc2.NewNumberID(int64(named))
	case protocol.String:
		id = jsonrpc2.NewStringID(string(named))
	default:
		return fmt.Errorf("%v is not a request", params.ID)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if cancel, ok := c.cancels[id]; ok {
		cancel()
	}
	return nil
}

// requestContext is a context that can be cancelled, with the values of the
// request's own: jsonrpc2.Async looks for one of them. Once the request is over,
// that context is another's.
type requestContext struct {
	context.Context
	request context.Context
	isOver  atomic.Bool
}

// Value implements context.Context.
func (c *requestContext) Value(key any) any {
	if v := c.Context.Value(key); v != nil || c.isOver.Load() {
		return v
	}
	return c.request.Value(key)
}
