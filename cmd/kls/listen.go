package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/kustomize-lsp/kls/lsp"
)

// listen serves clients at an address, each by a server of its own, until the context
// is done.
func listen(ctx context.Context, address string, std streams) error {
	network, address, err := localAddress(address)
	if err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, network, address)
	if err != nil {
		return err
	}
	// The log is for all clients.
	std.err = &sharedWriter{out: std.err}
	fmt.Fprintf(std.err, "listening on %s\n", listener.Addr())
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() }) // nothing is to be done about it
	defer stop()
	var clients sync.WaitGroup
	defer clients.Wait()
	for {
		connection, err := listener.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		clients.Go(func() { serveConnection(ctx, connection, std.err) })
	}
}

func serveConnection(ctx context.Context, connection net.Conn, log io.Writer) {
	defer connection.Close()
	options := serverOptions(log)
	options.Alive = nil // the number of a process means nothing where the client may be in another container
	err := lsp.Serve(ctx, connection, connection, options)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, lsp.ErrNoShutdown) && ctx.Err() == nil {
		fmt.Fprintf(log, "%s: %v\n", connection.RemoteAddr(), err)
	}
}

// localAddress reads HOST:PORT, :PORT or unix:PATH. Whoever can reach the address can
// read what the server can, so it has to be on this machine.
func localAddress(address string) (network, at string, err error) {
	if path, ok := strings.CutPrefix(address, "unix:"); ok {
		return "unix", path, nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", "", fmt.Errorf("--listen is HOST:PORT, :PORT or unix:PATH: %w", err)
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return "", "", fmt.Errorf("--listen serves clients on this machine alone, at localhost, and not at %s", host)
	}
	return "tcp", net.JoinHostPort(host, port), nil
}

// sharedWriter lets several goroutines write.
type sharedWriter struct {
	mutex sync.Mutex
	out   io.Writer
}

// Write implements io.Writer.
func (w *sharedWriter) Write(text []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.out.Write(text)
}
