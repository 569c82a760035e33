package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// cancellation ends the context of a request when the client cancels it. That of
// jsonrpc2 derives from the request's own context, which is used again for another
// request while the derived one still looks at it (v1.0.1, a data race for requests
// that are answered at once); this one derives from the connection's.
type cancellation struct {
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
		result, err := next(requestContext{cancellable, ctx}, request)
		if cancellable.Err() != nil {
			return nil, context.Canceled // the client waits for nothing else
		}
		return result, err
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
		return fmt.Errorf("%v is no request", params.ID)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if cancel, ok := c.cancels[id]; ok {
		cancel()
	}
	return nil
}

// requestContext is a context that can be cancelled, with the values of the
// request's own: jsonrpc2.Async looks for one of them.
type requestContext struct {
	context.Context
	request context.Context
}

// Value implements context.Context.
func (c requestContext) Value(key any) any {
	if v := c.Context.Value(key); v != nil {
		return v
	}
	return c.request.Value(key)
}
