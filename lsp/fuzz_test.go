package lsp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
)

// FuzzMessages sends a server any bytes: it ends with its input, and all that it answers
// are messages.
func FuzzMessages(f *testing.F) {
	frame := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	start := frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	f.Add([]byte(start + frame(`{"jsonrpc":"2.0","method":"initialized","params":{}}`) + frame(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + frame(`{"jsonrpc":"2.0","method":"exit"}`)))
	f.Add([]byte(start + frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/kustomization.yaml","languageId":"yaml","version":1,"text":"resources: [a]"}}}`) +
		frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///w/kustomization.yaml","version":2},"contentChanges":[{"range":{"start":{"line":4294967295,"character":1},"end":{"line":0,"character":0}},"text":"x"}]}}`) +
		frame(`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///w/kustomization.yaml"},"position":{"line":0,"character":4294967295}}}`)))
	f.Add([]byte("Content-Length: -1\r\n\r\n" + start))
	f.Add([]byte("Content-Length: 99999999999999999999\r\n\r\n{}" + start))
	f.Add([]byte(start + frame("[]") + frame("null") + frame(`{"jsonrpc":"2.0","id":{},"method":"x"}`) + frame("{")))
	f.Add([]byte("Content-Length: 10\r\n\r\n{}"))
	f.Fuzz(func(t *testing.T, input []byte) {
		if bytes.Contains(input, []byte("processId")) {
			t.Skip("whether a process lives is not what is tried here")
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		var answers bytes.Buffer
		_ = lsp.Serve(ctx, io.NopCloser(bytes.NewReader(input)), nopWriter{&answers}, lsp.Options{Source: vfs.Memory(map[string][]byte{"/w/kustomization.yaml": nil}),
			Check: analysis.Options{}, Alive: func(int) bool { return true }})
		if ctx.Err() != nil {
			t.Fatal("it did not end with its input")
		}
		reader := textproto.NewReader(bufio.NewReader(&answers))
		for {
			header, err := reader.ReadMIMEHeader()
			if errors.Is(err, io.EOF) {
				return
			}
			length, wrong := strconv.Atoi(header.Get("Content-Length"))
			if err != nil || wrong != nil {
				t.Fatalf("the header of an answer is %v: %v", header, err)
			}
			body := make([]byte, length)
			if _, err := io.ReadFull(reader.R, body); err != nil {
				t.Fatal(err)
			}
			if !json.Valid(body) || strings.Contains(string(body), "panic") {
				t.Fatalf("an answer is %s", body)
			}
		}
	})
}

type nopWriter struct{ io.Writer }

func (nopWriter) Close() error { return nil }
