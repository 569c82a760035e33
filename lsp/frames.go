package lsp

import (
	"bytes"
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
		if err != nil || len(body) > maxLookedThrough {
			return body, n, err
		}
		if json.Valid(body) {
			return withParams(body), n, nil
		}
		f.log("a message of %d bytes is no JSON", len(body))
		if _, err := f.WriteFrame(ctx, noJSON); err != nil {
			return nil, 0, err
		}
	}
}

// withParams completes a message without parameters, where protocol would read none: what
// every notification may leave out is empty, and a request gets a list, which no method
// has, so that one of an unknown name is known as such.
func withParams(body []byte) []byte {
	if bytes.Contains(body, []byte(`"params"`)) {
		return body
	}
	var message map[string]json.RawMessage
	if err := json.Unmarshal(body, &message); err != nil || message["method"] == nil {
		return body // a batch, or an answer
	}
	message["params"] = json.RawMessage("{}")
	if message["id"] != nil {
		message["params"] = json.RawMessage("[]")
	}
	if completed, err := json.Marshal(message); err == nil {
		return completed
	}
	return body
}
