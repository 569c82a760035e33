package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kls":      func() { os.Exit(run(context.Background(), os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})) },
		"replaced": replaceAndDie,
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			// A program with the race detector sleeps for a second when it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "use-hooks": useHooks, "action-scripts": actionScripts, "unix2crlf": toCRLF, "iscrlf": isCRLF},
	})
}

// status runs a command and asks for its exit status: "status 2 kls nonsense".
func status(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: status code command [args]")
	}
	got := exitOK
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// toCRLF gives the lines of a file the ends that Windows has.
func toCRLF(ts *testscript.TestScript, negated bool, args []string) {
	for _, name := range args {
		content := bytes.ReplaceAll([]byte(ts.ReadFile(name)), []byte("\n"), []byte("\r\n"))
		ts.Check(os.WriteFile(ts.MkAbs(name), content, 0o644))
	}
}

// isCRLF asks for a file whose lines all end as on Windows.
func isCRLF(ts *testscript.TestScript, negated bool, args []string) {
	for _, name := range args {
		content := ts.ReadFile(name)
		if strings.Count(content, "\n") != strings.Count(content, "\r\n") || !strings.Contains(content, "\n") {
			ts.Fatalf("%s has other ends of lines: %q", name, content)
		}
	}
}

// actionScripts copies the scripts of the GitHub Action into a folder.
func actionScripts(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) != 1 {
		ts.Fatalf("usage: action-scripts folder")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), os.DirFS(filepath.Join("..", "..", "packaging", "action"))))
}

// useHooks writes the hooks for pre-commit to a file, made to run the kls that is
// being tested.
func useHooks(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) != 1 {
		ts.Fatalf("usage: use-hooks file")
	}
	hooks, err := os.ReadFile(filepath.Join("..", "..", ".pre-commit-hooks.yaml"))
	ts.Check(err)
	if !bytes.Contains(hooks, []byte("language: golang")) {
		ts.Fatalf("the hooks are not installed by go any more")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.ReplaceAll(hooks, []byte("language: golang"), []byte("language: system")), 0o644))
}

// Garbage may be a multiple of what is in use only while that is little: memory does not grow with the multiple.
func TestGarbageIsBoundedByUse(t *testing.T) {
	for live, want := range map[uint64]int{0: 400, 8 << 20: 400, 48 << 20: 200, 96 << 20: 100, 192 << 20: 50, 1 << 30: 50, 1 << 40: 50} {
		if got := garbagePercent(live, 400); got != want {
			t.Errorf("%d MiB in use: %d %%, want %d", live>>20, got, want)
		}
	}
}
