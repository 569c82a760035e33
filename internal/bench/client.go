package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os/exec"
	"strconv"
	"sync"
)

// client is an editor that speaks to a language server, just enough to time it.
type client struct {
	command *exec.Cmd
	in      io.WriteCloser
	mutex   sync.Mutex // guards in and last
	last    int
	// answers has the result of each request, by its number.
	answers sync.Map // of chan message
	// published gets the diagnostics of each file.
	published chan diagnostics
	ended     chan error
}

// message is a message of JSON-RPC.
type message struct {
	Version string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id,omitempty"`
	Method  string           `json:"method,omitempty"`
	Params  any              `json:"params,omitempty"`
	Result  json.RawMessage  `json:"result,omitempty"`
	Error   json.RawMessage  `json:"error,omitempty"`
}

// diagnostics are what a server says of a file.
type diagnostics struct {
	URI         string            `json:"uri"`
	Version     int               `json:"version"`
	Diagnostics []json.RawMessage `json:"diagnostics"`
}

type object = map[string]any

// connect starts a server.
func connect(ctx context.Context, server process) (*client, error) {
	c := &client{command: server.command(ctx), published: make(chan diagnostics, 1000), ended: make(chan error, 1)}
	in, err := c.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in = in
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	go func() { c.ended <- c.read(bufio.NewReader(out)) }()
	return c, nil
}

// close ends the server, however it is.
func (c *client) close() {
	_ = c.command.Process.Kill() // it may have ended already
	_ = c.command.Wait()         // it was killed
}

func (c *client) read(in *bufio.Reader) error {
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return err
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return err
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return err
		}
		var m struct {
			message
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		if err := c.handle(m.message, m.Params); err != nil {
			return err
		}
	}
}

func (c *client) handle(m message, params json.RawMessage) error {
	switch {
	case m.Method == "textDocument/publishDiagnostics":
		var d diagnostics
		if err := json.Unmarshal(params, &d); err != nil {
			return err
		}
		select {
		case c.published <- d:
		default: // nobody waits for so many
		}
	case m.Method != "" && m.ID != nil:
		// Whatever the server asks, this client has no answer.
		return c.send(message{ID: m.ID, Result: json.RawMessage("null")})
	case m.ID != nil:
		if waiting, ok := c.answers.LoadAndDelete(string(*m.ID)); ok {
			waiting.(chan message) <- m
		}
	}
	return nil
}

func (c *client) send(m message) error {
	m.Version = "2.0"
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	_, err = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(text), text)
	return err
}

// notify sends a notification.
func (c *client) notify(method string, params any) error {
	return c.send(message{Method: method, Params: params})
}

// ask sends a request and waits for the result.
func (c *client) ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c.mutex.Lock()
	c.last++
	id := json.RawMessage(strconv.Itoa(c.last))
	c.mutex.Unlock()
	answer := make(chan message, 1)
	c.answers.Store(string(id), answer)
	if err := c.send(message{ID: &id, Method: method, Params: params}); err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error)
		}
		return m.Result, nil
	case err := <-c.ended:
		return nil, fmt.Errorf("%s: the server ended: %w", method, err)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// await waits until the server has said what the condition asks for.
func (c *client) await(ctx context.Context, condition func(diagnostics) bool) error {
	for {
		select {
		case d := <-c.published:
			if condition(d) {
				return nil
			}
		case err := <-c.ended:
			return fmt.Errorf("the server ended: %w", err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
