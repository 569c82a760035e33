package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.lsp.dev/jsonrpc2"
)

// frames is a stream of messages of which one that makes no sense is answered as such
// and passed over: jsonrpc2 would close the connection.
type frames struct {
	framed
	in  *bufio.Reader
	log func(format string, arguments ...any)
}

// framed is what jsonrpc2 asks of a stream, see its NewHeaderStream.
type framed interface {
	jsonrpc2.Stream
	ReadFrame(context.Context) ([]byte, int64, error)
	WriteFrame(context.Context, []byte) (int64, error)
}

// tolerate returns a stream over a connection.
func tolerate(connection io.ReadWriteCloser, log func(string, ...any)) jsonrpc2.Stream {
	stream := jsonrpc2.NewStream(connection)
	if f, ok := stream.(framed); ok {
		return frames{f, bufio.NewReaderSize(connection, maxHeader), log}
	}
	return stream
}

const (
	// maxHeader is how many bytes the header of a message may have.
	maxHeader = 8 << 10
	// maxMessage is how many bytes a message may have.
	maxMessage = 512 << 20
)

// refusal is a message that is answered and passed over.
type refusal struct {
	id      json.RawMessage // nil for null
	code    int
	message string
}

// Error implements error.
func (r refusal) Error() string { return r.message }

func invalid(id json.RawMessage, message string) error { return refusal{id, -32600, message} }

func unreadable(message string) error { return refusal{nil, -32700, message} }

// ReadFrame returns the next message that makes sense.
func (f frames) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		body, err := f.next()
		refused := refusal{}
		switch {
		case err == nil:
			return body, int64(len(body)), nil
		case !errors.As(err, &refused):
			return nil, 0, err
		}
		f.log("a message is refused: %s", refused.message)
		if _, err := f.WriteFrame(ctx, refused.answer()); err != nil {
			return nil, 0, err
		}
	}
}

func (r refusal) answer() []byte {
	id := r.id
	if id == nil {
		id = json.RawMessage("null")
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, r.code, r.message)
}

// next reads a message. The error is a refusal where the one after it can be read.
func (f frames) next() ([]byte, error) {
	length, err := f.header()
	if err != nil {
		return nil, err
	}
	// What is announced need not come: memory is taken for what does.
	var body bytes.Buffer
	if n, err := io.CopyN(&body, f.in, length); err != nil {
		if errors.Is(err, io.EOF) && n < length {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return checked(body.Bytes())
}

// header reads the header of a message and returns the length of what follows. After one
// that makes no sense, it begins where the next Content-Length stands.
func (f frames) header() (int64, error) {
	length, known, read, wrong := int64(0), false, 0, ""
	for {
		line, err := f.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			wrong = "the header of a message is too long"
		case err != nil && len(line) > 0 && errors.Is(err, io.EOF):
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
		if read += len(line); read > maxHeader {
			wrong = "the header of a message is too long"
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" && err == nil {
			break
		}
		if at := strings.LastIndex(strings.ToLower(text), "content-length:"); at >= 0 {
			length, err = strconv.ParseInt(strings.TrimSpace(text[at+len("content-length:"):]), 10, 64)
			known = err == nil
		}
	}
	switch {
	case wrong != "":
		if known && length > 0 && length <= maxMessage {
			_, _ = io.CopyN(io.Discard, f.in, length) // its end is met again
		}
		return 0, unreadable(wrong)
	case !known:
		return 0, unreadable("a message has no Content-Length that is a number")
	case length < 0 || length > maxMessage:
		return 0, unreadable("the Content-Length of a message makes no sense")
	case length == 0:
		return 0, invalid(nil, "a message is empty")
	}
	return length, nil
}

// envelope is what every message has.
type envelope struct {
	JSONRPC json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  json.RawMessage `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// checked returns a message as jsonrpc2 takes it, or a refusal.
func checked(body []byte) ([]byte, error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		if !json.Valid(body) {
			return nil, unreadable("the message is not valid JSON")
		}
		return nil, invalid(nil, "the message is not an object; batches are not supported")
	}
	id, ok := e.id()
	switch {
	case bytes.Equal(bytes.TrimSpace(body), []byte("null")):
		return nil, invalid(nil, "the message is not an object")
	case !ok:
		return nil, invalid(nil, "the id of a message is a text or a whole number")
	case string(e.JSONRPC) != `"2.0"`:
		return nil, invalid(id, `jsonrpc is not "2.0"`)
	case e.Method == nil && e.Result == nil && e.Error == nil:
		return nil, invalid(id, "the message is neither a request nor an answer")
	case e.Method != nil && (len(e.Method) < 3 || e.Method[0] != '"'):
		return nil, invalid(id, "the method is not a name")
	case e.Method != nil && e.Params != nil && !strings.ContainsRune("{[n", rune(e.Params[0])):
		return nil, invalid(id, "the parameters are neither an object nor a list")
	case e.Method == nil && e.ID == nil, e.Error != nil && e.Error[0] != '{' && e.Error[0] != 'n':
		return nil, invalid(nil, "the message answers no request")
	case e.Method != nil && e.Params == nil:
		return e.withParams(), nil
	}
	return body, nil
}

// id returns the id of a message, nil for none; false where it is odd.
func (e envelope) id() (json.RawMessage, bool) {
	switch {
	case e.ID == nil:
		return nil, true
	case e.ID[0] == '"':
		return e.ID, true
	}
	_, err := strconv.ParseInt(string(e.ID), 10, 32)
	return e.ID, err == nil
}

// withParams completes a message without parameters, where protocol would read none: what
// every notification may leave out is empty, and a request gets a list, which no method
// has, so that one of an unknown name is known as such.
func (e envelope) withParams() []byte {
	if e.ID == nil {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%s,"params":{}}`, e.Method)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%s,"params":[]}`, e.ID, e.Method)
}
