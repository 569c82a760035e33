package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// verdict is what the two runs of the engine say, held against the lists.
type verdict struct {
	own, total            int // tests that pass as they are, of all
	plain, plainTotal     int // of class passes, in the first run
	wording, wordingTotal int // of class wording, in the second run
	environment           int // of class environment that pass nevertheless, in the first run
	environmentTotal      int
	unexpected            []string
}

// judge holds the outcomes against the classes and the expected failures. Tests that did not run, because a pattern
// left them out, are not judged.
func judge(classes map[string]class, expected map[string]string, own, lent *run) verdict {
	var v verdict
	for _, name := range slices.Sorted(maps.Keys(own.outcomes)) {
		v.total++
		if own.outcomes[name] == pass {
			v.own++
		}
		switch classes[name] {
		case passes:
			v.plainTotal++
			v.plain += v.hold(name, expected, own)
		case wording:
			v.wordingTotal++
			v.wording += v.hold(name, expected, lent)
		case environment:
			v.environmentTotal++
			if own.outcomes[name] == pass {
				v.environment++
			}
		default:
			v.unexpected = append(v.unexpected, name+" is not in baseline.txt: run `go run ./internal/conformance -baseline`")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		if _, known := classes[name]; !known {
			v.unexpected = append(v.unexpected, name+" is in expected-failures.txt and is no test of upstream's")
		}
	}
	return v
}

// hold returns 1 where the test passes, else 0, and notes an outcome that the list does not expect.
func (v *verdict) hold(name string, expected map[string]string, r *run) int {
	_, failureExpected := expected[name]
	passed := r.outcomes[name] == pass
	switch {
	case passed && failureExpected:
		v.unexpected = append(v.unexpected, name+" passes and is in expected-failures.txt: take it out there")
	case !passed && !failureExpected:
		v.unexpected = append(v.unexpected, name+" fails")
	}
	if passed {
		return 1
	}
	return 0
}

// String is the closing report, a line for each class.
func (v verdict) String() string {
	var text strings.Builder
	for _, line := range v.unexpected {
		fmt.Fprintf(&text, "unexpected: %s\n", line)
	}
	fmt.Fprintf(&text, "conformance: %d of upstream's %d krusty tests pass as they are\n", v.own, v.total)
	fmt.Fprintf(&text, "  %d of %d that pass with the real kustomizer and look at no error's wording\n", v.plain, v.plainTotal)
	fmt.Fprintf(&text, "  %d of %d that look at an error's wording, the wording being lent\n", v.wording, v.wordingTotal)
	fmt.Fprintf(&text, "  %d of %d that the real kustomizer fails or skips in this environment\n",
		v.environment, v.environmentTotal)
	return text.String()
}
