package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
)

// TestBrokenMessages sends what no client should send: each is answered with its error,
// and the server goes on.
func TestBrokenMessages(t *testing.T) {
	in, client := io.Pipe()
	server, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- lsp.Serve(context.Background(), in, out, lsp.Options{Source: vfs.Memory(nil), Check: analysis.Options{}})
	}()
	reader := textproto.NewReader(bufio.NewReader(server))
	// answer returns the id and the code of the next answer.
	answer := func() string {
		t.Helper()
		for {
			header, err := reader.ReadMIMEHeader()
			if err != nil {
				t.Fatal(err)
			}
			length, err := strconv.Atoi(header.Get("Content-Length"))
			if err != nil {
				t.Fatal(err)
			}
			body := make([]byte, length)
			if _, err := io.ReadFull(reader.R, body); err != nil {
				t.Fatal(err)
			}
			var message struct {
				ID     json.RawMessage
				Method string
				Error  struct{ Code int }
			}
			if err := json.Unmarshal(body, &message); err != nil {
				t.Fatal(err)
			}
			if message.Method == "" {
				return fmt.Sprintf("%s %d", message.ID, message.Error.Code)
			}
		}
	}
	send := func(body string) {
		t.Helper()
		if _, err := fmt.Fprintf(client, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
	}
	for _, exchange := range []struct{ say, want string }{
		{`not json!`, "null -32700"},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`, "1 0"},
		{`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"position":{"line":-1}}}`, "2 -32602"},
		{`{"jsonrpc":"2.0","id":"three","method":"no/such","params":{}}`, `"three" -32601`},
		{`{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{"te`, "null -32700"},
		{`{"jsonrpc":"2.0","id":5,"method":"shutdown"}`, "5 0"},
	} {
		send(exchange.say)
		if got := answer(); got != exchange.want {
			t.Errorf("%s is answered with %s, not %s", exchange.say, got, exchange.want)
		}
	}
	send(`{"jsonrpc":"2.0","method":"exit"}`)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
