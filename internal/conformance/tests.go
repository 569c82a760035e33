package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// mode is how the replaced Kustomizer behaves; the wrapper in krusty.go.txt reads it from the environment.
type mode string

const (
	upstream mode = "upstream" // the real Kustomizer
	wordless mode = "wordless" // the real Kustomizer, every error text replaced
	own      mode = "own"      // the engine
	lent     mode = "lent"     // the engine, with the real error where both refuse
	stepping mode = "steps"    // the engine, the steps that explain names compared with the real annotations
)

// outcome is what `go test` says of one test function: pass, fail or skip.
type outcome string

const (
	pass outcome = "pass"
	fail outcome = "fail"
	skip outcome = "skip"
)

// run is what one run of the tests gave.
type run struct {
	outcomes map[string]outcome  // by test function
	output   map[string][]string // by test function, its subtests included: lines as printed
}

// test runs the tests of package krusty whose names match the pattern, all where it is empty. An error means that the
// tests did not run to their end, not that one of them failed.
func (w *workspace) test(ctx context.Context, mode mode, pattern string) (*run, error) {
	command := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "-trimpath", "-run", pattern, "./krusty")
	command.Dir = w.module
	command.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=", "KLS_CONFORMANCE="+string(mode), "KLS_CONFORMANCE_STEPS="+w.stepsFile())
	var printed, complaint bytes.Buffer
	command.Stdout, command.Stderr = &printed, &complaint
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	result, unfinished := readEvents(printed.Bytes())
	if len(result.outcomes) == 0 || len(unfinished) > 0 {
		return nil, fmt.Errorf("the tests did not run to their end; unfinished: %v\n%s%s",
			unfinished, complaint.String(), result.explain(unfinished))
	}
	return result, nil
}

// event is what `go test -json` prints, one a line. See `go doc test2json`.
type event struct {
	Action, Test, Output string
}

// readEvents also returns the tests that were started and never finished, as a crash of the test process leaves them.
func readEvents(printed []byte) (*run, []string) {
	result := &run{outcomes: map[string]outcome{}, output: map[string][]string{}}
	running := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(printed))
	lines.Buffer(nil, len(printed)+1)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			e = event{Action: "build-output", Output: lines.Text() + "\n"}
		}
		function, subtest, _ := strings.Cut(e.Test, "/")
		switch {
		case e.Action == "output" || e.Action == "build-output":
			result.output[function] = append(result.output[function], e.Output)
		case function == "" || subtest != "":
		case e.Action == "run":
			running[function] = true
		case e.Action == "pass" || e.Action == "fail" || e.Action == "skip":
			result.outcomes[function] = outcome(e.Action)
			delete(running, function)
		}
	}
	var unfinished []string
	for function := range running {
		unfinished = append(unfinished, function)
	}
	return result, unfinished
}

// explain returns what the process printed outside of tests and in the given ones.
func (r *run) explain(functions []string) string {
	var text strings.Builder
	for _, function := range append([]string{""}, functions...) {
		text.WriteString(strings.Join(r.output[function], ""))
	}
	return text.String()
}
