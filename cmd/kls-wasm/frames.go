// Command kls-wasm is the language server for a Web Worker: messages come and go as
// JSON texts, files are those that the page hands in, nothing is fetched and nothing is
// run. It leaves out the command line and everything that needs an operating system.
package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// writeMessage writes one message with the header that the protocol's base part asks for.
func writeMessage(w io.Writer, body string) error {
	_, err := fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// readMessages hands each message of a stream to receive, without its header, until the
// stream ends.
func readMessages(r io.Reader, receive func(body string)) error {
	buffered := bufio.NewReader(r)
	for {
		length, err := readHeader(buffered)
		if err != nil {
			return err
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(buffered, body); err != nil {
			return err
		}
		receive(string(body))
	}
}

// readHeader reads up to the empty line and returns the length of the body in bytes.
func readHeader(r *bufio.Reader) (int, error) {
	length := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return 0, err
		}
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			return length, nil
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(value); err != nil {
				return 0, fmt.Errorf("length of a message: %w", err)
			}
		}
	}
}
