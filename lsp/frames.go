package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
)

// frames is a stream of messages of which one that is no JSON is answered as such and
// passed over: jsonrpc2 would close the connection.
type frames struct {
	framed
	log func(format string, arguments ...any)
}

// framed is what jsonrpc2 asks of a stream, see its NewHeaderStream.
type framed interface {
	jsonrpc2.Stream
	ReadFrame(context.Context) ([]byte, int64, error)
	WriteFrame(context.Context, []byte) (int64, error)
}

// tolerate returns the stream, as it is where it has no frames.
func tolerate(stream jsonrpc2.Stream, log func(string, ...any)) jsonrpc2.Stream {
	if f, ok := stream.(framed); ok {
		return frames{f, log}
	}
	return stream
}

// maxLookedThrough is how many bytes a message may have to be looked through first.
const maxLookedThrough = 1 << 20

var noJSON = []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is no JSON"}}`)

// ReadFrame returns the next message that is JSON.
func (f frames) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	for {
		body, n, err := f.framed.ReadFrame(ctx)
		if err != nil || len(body) > maxLookedThrough || json.Valid(body) {
			return body, n, err
		}
		f.log("a message of %d bytes is no JSON", len(body))
		if _, err := f.WriteFrame(ctx, noJSON); err != nil {
			return nil, 0, err
		}
	}
}
