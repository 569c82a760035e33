package main

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
)

func TestMessagesComeBackWhole(t *testing.T) {
	sent := []string{`{"jsonrpc":"2.0"}`, "{}", `{"text":"grün\r\n\r\nContent-Length: 5"}`}
	var stream bytes.Buffer
	for _, body := range sent {
		if err := writeMessage(&stream, body); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := readMessages(&stream, func(body string) { got = append(got, body) })
	if !errors.Is(err, io.EOF) {
		t.Errorf("the end is %v", err)
	}
	if !slices.Equal(got, sent) {
		t.Errorf("received %q, want %q", got, sent)
	}
}

func TestMessageCutShort(t *testing.T) {
	err := readMessages(bytes.NewBufferString("Content-Length: 10\r\n\r\n{}"), func(body string) { t.Errorf("received %q", body) })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the end is %v", err)
	}
}
