package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// patience is how long a test waits for what must come: only what hangs takes longer.
const patience = 30 * time.Second

// client is an editor that waits for diagnostics.
type client struct {
	protocol.UnimplementedClient
	mutex sync.Mutex
	rules map[string]bool
	told  chan struct{}
}

func (c *client) PublishDiagnostics(_ context.Context, params *protocol.PublishDiagnosticsParams) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, d := range params.Diagnostics {
		c.rules[string(d.Code.(protocol.String))] = true
	}
	select {
	case c.told <- struct{}{}:
	default:
	}
	return nil
}

// converse opens a folder over a connection, and waits for diagnostics of the rules.
func converse(t *testing.T, connection io.ReadWriteCloser, dir string, rules ...string) protocol.Server {
	t.Helper()
	c := &client{rules: map[string]bool{}, told: make(chan struct{}, 1)}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	_, _, server := protocol.NewClient(ctx, c, jsonrpc2.NewStream(connection))
	params := &protocol.InitializeParams{}
	params.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{{URI: uri.File(dir), Name: "tree"}})
	if _, err := server.Initialize(ctx, params); err != nil {
		t.Fatal(err)
	}
	if err := server.Initialized(ctx, &protocol.InitializedParams{}); err != nil {
		t.Fatal(err)
	}
	for {
		c.mutex.Lock()
		missing := ""
		for _, rule := range rules {
			if !c.rules[rule] {
				missing = rule
			}
		}
		c.mutex.Unlock()
		if missing == "" {
			return server
		}
		select {
		case <-c.told:
		case <-ctx.Done():
			t.Fatalf("there is no %s among %v", missing, c.rules)
		}
	}
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

func writeTree(t *testing.T, tree map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range tree {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestServerStaysInside opens a tree that wants things fetched and run, and whose
// configuration allows it: the server connects to nothing and starts nothing.
func TestServerStaysInside(t *testing.T) {
	var connections atomic.Int32
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			connection.Close()
		}
	}()
	marker := filepath.Join(t.TempDir(), "ran")
	script := "#!/bin/sh\necho \"$0 $*\" >>" + marker + "\nexit 1\n"
	programs := writeTree(t, map[string]string{"git": script, "helm": script, "docker": script})
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	at := listener.Addr().String()
	dir := writeTree(t, map[string]string{
		".kls.yaml":                    "build: {enableRemote: true, enableHelm: true, enableAlphaPlugins: true, enableExec: true, network: true}\n",
		"remote/kustomization.yaml":    fmt.Sprintf("resources:\n- http://%s/a.yaml\n- https://%s/owner/repo//base?ref=v1\n- git::ssh://git@%s/x\n", at, at, at),
		"chart/kustomization.yaml":     fmt.Sprintf("helmCharts:\n- {name: web, repo: 'http://%s', version: 1.0.0, releaseName: web}\n", at),
		"function/kustomization.yaml":  "transformers: [run.yaml]\nresources: [cm.yaml]\n",
		"function/run.yaml":            "apiVersion: v1\nkind: Run\nmetadata:\n  name: run\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./run.sh}\n",
		"function/run.sh":              script,
		"function/cm.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n",
		"container/kustomization.yaml": "generators: [run.yaml]\n",
		"container/run.yaml":           "apiVersion: v1\nkind: Run\nmetadata:\n  name: run\n  annotations:\n    config.kubernetes.io/function: |\n      container: {image: example.com/run}\n",
		"container/openapi.yaml":       "x",
		"typo/kustomization.yaml":      "resources: [nothing.yaml]\n",
	})
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	ended := make(chan int, 1)
	var log bytes.Buffer
	go func() {
		ended <- run(context.Background(), []string{"lsp"}, streams{serverIn, serverOut, &sharedWriter{out: &log}})
	}()
	server := converse(t, pipes{clientIn, clientOut}, dir, "missing-path", "remote-not-loaded", "external-not-run")
	ctx := context.Background()
	name := uri.File(filepath.Join(dir, "remote", "kustomization.yaml"))
	for line := range uint32(3) {
		position := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: name}, Position: protocol.Position{Line: line, Character: 6}}
		if _, err := server.Hover(ctx, &protocol.HoverParams{TextDocumentPositionParams: position}); err != nil {
			t.Error(err)
		}
		if _, err := server.Definition(ctx, &protocol.DefinitionParams{TextDocumentPositionParams: position}); err != nil {
			t.Error(err)
		}
	}
	if err := server.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if err := server.Exit(ctx); err != nil {
		t.Error(err)
	}
	if status := <-ended; status != 0 {
		t.Errorf("the server ended with %d: %s", status, log.String())
	}
	if ran, err := os.ReadFile(marker); err == nil {
		t.Errorf("something was run: %s", ran)
	}
	if n := connections.Load(); n > 0 {
		t.Errorf("there were %d connections", n)
	}
}

// TestListen serves two clients, one after the other and both at once.
func TestListen(t *testing.T) {
	dir := writeTree(t, map[string]string{"kustomization.yaml": "resources: [nothing.yaml]\n"})
	ctx, cancel := context.WithCancel(context.Background())
	logReader, logWriter := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"lsp", "--listen", "localhost:0"}, streams{strings.NewReader(""), io.Discard, logWriter})
	}()
	var line [256]byte
	n, err := logReader.Read(line[:])
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, logReader) }()
	_, address, ok := strings.Cut(strings.TrimSpace(string(line[:n])), "listening on ")
	if !ok {
		t.Fatalf("printed: %s", line[:n])
	}
	for range 2 {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		converse(t, connection, dir, "missing-path")
	}
	cancel()
	select {
	case status := <-ended:
		if status != 0 {
			t.Errorf("it ended with %d", status)
		}
	case <-time.After(patience):
		t.Fatal("it did not end")
	}
}

// TestListenAddress refuses addresses that others can reach.
func TestListenAddress(t *testing.T) {
	for address, want := range map[string]string{
		":99": "tcp 127.0.0.1:99", "localhost:99": "tcp 127.0.0.1:99", "[::1]:99": "tcp [::1]:99", "unix:/tmp/kls": "unix /tmp/kls",
		"0.0.0.0:99": "", "192.0.2.1:99": "", "example.com:99": "", "99": "", "[::]:99": "",
	} {
		network, at, err := localAddress(address)
		if got := strings.TrimSpace(network + " " + at); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}

// TestExitWithoutShutdown ends with the exit code that the protocol asks for.
func TestExitWithoutShutdown(t *testing.T) {
	message := `{"jsonrpc":"2.0","method":"exit"}`
	in := strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message))
	var out, err bytes.Buffer
	if code := run(context.Background(), []string{"lsp"}, streams{in, &out, &err}); code != 1 || !strings.Contains(err.String(), "without shutdown") {
		t.Errorf("exit code %d: %s", code, err.String())
	}
}
