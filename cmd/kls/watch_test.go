package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A file that is mended is checked again by itself, and so is one that appears; ^C ends it.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("kustomization.yaml", "resources: [web.yaml]\n")
	ctx, interrupt := context.WithTimeout(context.Background(), 2*time.Minute) // a guard against a hang
	defer interrupt()
	reader, writer := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"check", "--watch", dir}, streams{nil, writer, io.Discard})
		writer.Close()
	}()
	lines := bufio.NewScanner(reader)
	next := func(want string) {
		t.Helper()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "1 kustomization: ") {
				if !strings.Contains(lines.Text(), want) {
					t.Fatalf("%q, want %q", lines.Text(), want)
				}
				return
			}
		}
		t.Fatalf("it ended before %q", want)
	}
	next("1 failed")
	write("web.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n")
	next("1 built")
	if err := os.Remove(filepath.Join(dir, "web.yaml")); err != nil {
		t.Fatal(err)
	}
	next("1 failed")
	interrupt()
	go io.Copy(io.Discard, reader)
	if status := <-ended; status != exitInterrupted {
		t.Errorf("exit %d", status)
	}
}

func TestWatchRefuses(t *testing.T) {
	for _, flag := range []string{"--fix", "--diff", "--write-baseline"} {
		if status := run(context.Background(), []string{"check", "--watch", flag, t.TempDir()}, streams{nil, io.Discard, io.Discard}); status != exitBroken {
			t.Errorf("%s: exit %d", flag, status)
		}
	}
}
