package main

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// class says what the real Kustomizer makes of a test. The package comment tells how it is found.
type class string

const (
	passes      class = "passes"
	wording     class = "wording"
	environment class = "environment"
)

//go:embed baseline.txt
var baselineText string

//go:embed expected-failures.txt
var expectedFailuresText string

const baselineHeader = `# What the real kustomizer.go makes of each test of package krusty.
# Written by: go run ./internal/conformance -baseline
`

// readBaseline returns the class of each test function.
func readBaseline(text string) (map[string]class, error) {
	classes := map[string]class{}
	err := eachEntry(text, func(name, rest string) error {
		switch class := class(rest); class {
		case passes, wording, environment:
			classes[name] = class
			return nil
		}
		return fmt.Errorf("unknown class %q", rest)
	})
	return classes, err
}

// readExpectedFailures returns the reason for each test function that is expected to fail.
func readExpectedFailures(text string) (map[string]string, error) {
	reasons := map[string]string{}
	err := eachEntry(text, func(name, reason string) error {
		if reason == "" {
			return fmt.Errorf("no reason given")
		}
		reasons[name] = reason
		return nil
	})
	return reasons, err
}

// eachEntry calls use for every line "Name rest"; empty lines and lines that start with # are comments.
func eachEntry(text string, use func(name, rest string) error) error {
	for number, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(line, " ")
		if err := use(name, strings.TrimSpace(rest)); err != nil {
			return fmt.Errorf("line %d: %s: %w", number+1, name, err)
		}
	}
	return nil
}

// classify holds the run with the real Kustomizer against the one without its words.
func classify(real, wordless *run) map[string]class {
	classes := map[string]class{}
	for name, outcome := range real.outcomes {
		switch {
		case outcome != pass:
			classes[name] = environment
		case wordless.outcomes[name] != pass:
			classes[name] = wording
		default:
			classes[name] = passes
		}
	}
	return classes
}

func writeBaseline(classes map[string]class) string {
	var text strings.Builder
	text.WriteString(baselineHeader)
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		fmt.Fprintf(&text, "%s %s\n", name, classes[name])
	}
	return text.String()
}
