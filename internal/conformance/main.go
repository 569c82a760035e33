package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

type options struct {
	baseline, verbose, keep bool
	pattern                 string
}

func main() {
	var o options
	flag.BoolVar(&o.baseline, "baseline", false, "write baseline.txt anew, from the real kustomizer")
	flag.StringVar(&o.pattern, "run", "", "run only the tests whose names match this pattern")
	flag.BoolVar(&o.verbose, "v", false, "print what each failing test printed")
	flag.BoolVar(&o.keep, "keep", false, "keep the temporary folder, and say where it is")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := execute(ctx, o, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// execute returns whether every test did what the lists expect of it.
func execute(ctx context.Context, o options, out io.Writer) (bool, error) {
	w, err := newWorkspace(ctx)
	if err != nil {
		return false, err
	}
	if o.keep {
		fmt.Fprintln(out, "kept:", w.root)
	} else {
		defer os.RemoveAll(w.root)
	}
	if o.baseline {
		return true, recordBaseline(ctx, w, out)
	}
	return compare(ctx, w, o, out)
}

func compare(ctx context.Context, w *workspace, o options, out io.Writer) (bool, error) {
	classes, err := readBaseline(baselineText)
	if err != nil {
		return false, fmt.Errorf("baseline.txt: %w", err)
	}
	expected, err := readExpectedFailures(expectedFailuresText)
	if err != nil {
		return false, fmt.Errorf("expected-failures.txt: %w", err)
	}
	ownRun, err := w.test(ctx, own, o.pattern)
	if err != nil {
		return false, err
	}
	lentRun, err := w.test(ctx, lent, o.pattern)
	if err != nil {
		return false, err
	}
	if o.verbose {
		printFailures(out, classes, ownRun, lentRun)
	}
	v := judge(classes, expected, ownRun, lentRun)
	if _, err := w.test(ctx, stepping, o.pattern); err != nil {
		return false, err
	}
	s, err := readSteps(w.stepsFile())
	if err != nil {
		return false, err
	}
	fmt.Fprintf(out, "%s%s", v, s)
	return len(v.unexpected) == 0 && s.hold(o.pattern == ""), nil
}

// printFailures prints what the failing tests printed, each in the run that its class is judged by.
func printFailures(out io.Writer, classes map[string]class, ownRun, lentRun *run) {
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		r := ownRun
		if classes[name] == wording {
			r = lentRun
		}
		if classes[name] != environment && r.outcomes[name] == fail {
			fmt.Fprintf(out, "%s\n", strings.Join(r.output[name], ""))
		}
	}
}

// recordBaseline writes baseline.txt into this checkout and prints how many tests are in each class.
func recordBaseline(ctx context.Context, w *workspace, out io.Writer) error {
	real, err := w.test(ctx, upstream, "")
	if err != nil {
		return err
	}
	reworded, err := w.test(ctx, wordless, "")
	if err != nil {
		return err
	}
	classes := classify(real, reworded)
	counts := map[class]int{}
	for _, class := range classes {
		counts[class]++
	}
	for _, class := range []class{passes, wording, environment} {
		fmt.Fprintf(out, "%4d %s\n", counts[class], class)
	}
	return os.WriteFile(filepath.Join("internal", "conformance", "baseline.txt"), []byte(writeBaseline(classes)), 0o644)
}
