package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
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
	for header, want := range map[string]string{
		"Content-Length: 0\r\n\r\n": "null -32600", "Content-Length: -5\r\n\r\n": "null -32700", "Content-Length: 99999999999999\r\n\r\n": "null -32700",
		"Content-Length: many\r\n\r\n": "null -32700", "Content-Length: 99999999999999999999999\r\n\r\n": "null -32700", "\r\n": "null -32700",
		"no header at all\r\n\r\n": "null -32700", "X: " + strings.Repeat("x", 9<<10) + "\r\nContent-Length: 2\r\n\r\n{}": "null -32700",
		strings.Repeat("X: y\r\n", 5000) + "\r\n": "null -32700", "Content-Length: 2\n\n{}": "null -32600",
	} {
		if _, err := io.WriteString(client, header); err != nil {
			t.Fatal(err)
		}
		if got := answer(); got != want {
			t.Errorf("%.60q is answered with %s, not %s", header, got, want)
		}
	}
	for _, exchange := range []struct{ say, want string }{
		{`not json!`, "null -32700"},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`, "1 0"},
		{`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"position":{"line":-1}}}`, "2 -32602"},
		{`{"jsonrpc":"2.0","id":"three","method":"no/such","params":{}}`, `"three" -32601`},
		{`{"jsonrpc":"2.0","id":"no params","method":"no/such"}`, `"no params" -32601`},
		{`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover"}`, "3 -32602"},
		{`{"jsonrpc":"2.0","id":31,"method":"textDocument/typeDefinition"}`, "31 -32601"},
		{`{"jsonrpc":"2.0","id":32,"method":"workspace/willCreateFiles","params":[]}`, "32 -32601"},
		{`{"jsonrpc":"2.0","id":33,"method":"textDocument/documentColor","params":{}}`, "33 -32601"},
		{`{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{"te`, "null -32700"},
		{`7`, "null -32600"}, {`null`, "null -32600"}, {`"text"`, "null -32600"}, {`[]`, "null -32600"}, {`true`, "null -32600"},
		{`[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]`, "null -32600"},
		{`{}`, "null -32600"}, {`{"id":6,"method":"shutdown"}`, "6 -32600"}, {`{"jsonrpc":2.0,"id":6,"method":"shutdown"}`, "6 -32600"},
		{`{"jsonrpc":"1.0","id":"a","method":"shutdown"}`, `"a" -32600`},
		{`{"jsonrpc":"2.0","id":{},"method":"shutdown"}`, "null -32600"}, {`{"jsonrpc":"2.0","id":[1],"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}`, "null -32600"}, {`{"jsonrpc":"2.0","id":1e99,"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":true,"method":"shutdown"}`, "null -32600"}, {`{"jsonrpc":"2.0","id":99999999999999999999,"method":"shutdown"}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":7}`, "7 -32600"}, {`{"jsonrpc":"2.0","id":7,"method":7}`, "7 -32600"}, {`{"jsonrpc":"2.0","id":7,"method":""}`, "7 -32600"},
		{`{"jsonrpc":"2.0","id":7,"method":"shutdown","params":7}`, "7 -32600"}, {`{"jsonrpc":"2.0","result":7}`, "null -32600"},
		{"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"no/\xff\xfe\",\"params\":{}}", "8 -32601"},
		{`{"jsonrpc":"2.0","id":9,"method":"no/such","params":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, "null -32700"},
		{`{"jsonrpc":"2.0","id":9,"method":"no/such","params":"` + strings.Repeat("x", 2<<20), "null -32700"},
		{`{"jsonrpc":"2.0","id":404,"result":{}}{`, "null -32700"},
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

// TestOddCapabilities begins with capabilities of which some are not as the protocol has
// them: those are as if they were not there, the others count.
func TestOddCapabilities(t *testing.T) {
	e := start(t, setup{tree: shop})
	var result protocol.InitializeResult
	params := json.RawMessage(`{
		"processId": null, "rootUri": "file:///tree", "rootPath": 7,
		"capabilities": {
			"general": {"positionEncodings": ["utf-8", "utf-16"]},
			"textDocument": {
				"rename": {"prepareSupport": true, "prepareSupportDefaultBehavior": null},
				"publishDiagnostics": {"tagSupport": true, "relatedInformation": true},
				"foldingRange": {"rangeLimit": 5000.0, "lineFoldingOnly": true}}}}`)
	if _, err := e.conn.Call(e.context(), protocol.MethodInitialize, params, &result); err != nil {
		t.Fatal(err)
	}
	if got := result.Capabilities.PositionEncoding; got != protocol.PositionEncodingKindUTF8 {
		t.Errorf("the encoding is %s", got)
	}
	e.must(e.server.Initialized(e.context(), &protocol.InitializedParams{}))
	e.open("overlay/kustomization.yaml")
	e.expect(typo)
	ranges, err := e.server.FoldingRanges(e.context(), &protocol.FoldingRangeParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("overlay/kustomization.yaml")}})
	e.must(err)
	if len(ranges) == 0 || ranges[0].StartCharacter != nil {
		t.Errorf("lines alone are to be folded, not %v", ranges)
	}
}

// TestInitializedWithoutParameters says initialized in the shortest way: the folders are
// checked.
func TestInitializedWithoutParameters(t *testing.T) {
	e := start(t, setup{tree: shop})
	params := json.RawMessage(`{"processId": null, "rootUri": "file:///tree", "capabilities": {}}`)
	if _, err := e.conn.Call(e.context(), protocol.MethodInitialize, params, nil); err != nil {
		t.Fatal(err)
	}
	e.must(e.conn.Notify(e.context(), protocol.MethodInitialized, nil))
	e.expect(typo)
}

// TestRootPath begins as clients of old do, with a path in the place of a URI.
func TestRootPath(t *testing.T) {
	e := start(t, setup{tree: shop})
	params := json.RawMessage(`{"processId": null, "rootUri": null, "rootPath": "/tree", "capabilities": {}}`)
	if _, err := e.conn.Call(e.context(), protocol.MethodInitialize, params, nil); err != nil {
		t.Fatal(err)
	}
	e.must(e.conn.Notify(e.context(), protocol.MethodInitialized, nil))
	e.expect(typo)
}

// TestUnofferedRequests sends the requests of the protocol that not everybody offers, with
// parameters and without: what is not offered is not offered either way.
func TestUnofferedRequests(t *testing.T) {
	e := start(t, setup{tree: shop})
	e.initialize(setup{})
	isUnknown := func(method string, params any) bool {
		_, err := e.conn.Call(e.context(), method, params, nil)
		var answer *jsonrpc2.Error
		return errors.As(err, &answer) && answer.Code == jsonrpc2.MethodNotFound
	}
	unknown := 0
	for _, method := range []string{
		"textDocument/willSaveWaitUntil", "textDocument/declaration", "textDocument/definition", "textDocument/typeDefinition",
		"textDocument/implementation", "textDocument/references", "textDocument/prepareCallHierarchy", "textDocument/prepareTypeHierarchy",
		"typeHierarchy/supertypes", "typeHierarchy/subtypes", "textDocument/documentLink", "documentLink/resolve",
		"textDocument/foldingRange", "textDocument/inlineValue", "textDocument/inlayHint", "inlayHint/resolve", "textDocument/moniker",
		"textDocument/signatureHelp", "textDocument/documentColor", "textDocument/colorPresentation", "textDocument/rangeFormatting",
		"textDocument/rangesFormatting", "textDocument/onTypeFormatting", "textDocument/linkedEditingRange", "textDocument/inlineCompletion",
		"workspaceSymbol/resolve", "workspace/willCreateFiles", "workspace/willRenameFiles", "workspace/willDeleteFiles",
	} {
		with, without := isUnknown(method, json.RawMessage("{}")), isUnknown(method, nil)
		if with != without {
			t.Errorf("%s is unknown with parameters: %t, without: %t", method, with, without)
		}
		if with {
			unknown++
		}
	}
	if unknown == 0 {
		t.Error("every request is offered")
	}
}
