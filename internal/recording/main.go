// Command recording writes what kls really prints into the documentation, so that no page shows output that kls does
// not have. In README.md and below docs/ it looks for
//
//	<!-- recorded: kls check examples/mistakes -->
//	…
//	<!-- end -->
//
// runs the command from the top folder of the checkout, with a kls built from it, and puts the command and its output
// between the two lines. `| head N` after the command keeps the first N lines.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := record(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

func record(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "kls-recording-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	kls := filepath.Join(folder, "kls")
	if printed, err := exec.CommandContext(ctx, "go", "build", "-o", kls, "./cmd/kls").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, printed)
	}
	pages, err := markdownPages("README.md", "docs")
	if err != nil {
		return err
	}
	for _, page := range pages {
		if err := rewrite(page, func(arguments []string) (string, error) { return run(ctx, kls, arguments) }); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	return nil
}

func markdownPages(roots ...string) ([]string, error) {
	var pages []string
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && filepath.Ext(path) == ".md" {
				pages = append(pages, path)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return pages, nil
}

// run returns what kls prints, on both outputs in the order in which it does, and says so where the exit code is not 0.
func run(ctx context.Context, kls string, arguments []string) (string, error) {
	printed, err := exec.CommandContext(ctx, kls, arguments...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return string(printed) + "(exit 1)\n", nil
	case err != nil:
		return "", fmt.Errorf("kls %s: %w\n%s", strings.Join(arguments, " "), err, printed)
	}
	return string(printed), nil
}

func rewrite(page string, run func(arguments []string) (string, error)) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	recorded, err := fill(string(text), run)
	if err != nil || bytes.Equal(text, []byte(recorded)) {
		return err
	}
	return os.WriteFile(page, []byte(recorded), 0o644)
}

const (
	opening = "<!-- recorded: "
	ending  = "<!-- end -->"
)

// fill returns the page with every recording made anew.
func fill(page string, run func(arguments []string) (string, error)) (string, error) {
	var filled strings.Builder
	for {
		before, rest, found := strings.Cut(page, opening)
		filled.WriteString(before)
		if !found {
			return filled.String(), nil
		}
		command, rest, closed := strings.Cut(rest, " -->\n")
		_, after, ended := strings.Cut(rest, ending)
		if !closed || !ended {
			return "", fmt.Errorf("the recording %q has no end", command)
		}
		output, err := recording(command, run)
		if err != nil {
			return "", err
		}
		filled.WriteString(opening + command + " -->\n" + output + ending)
		page = after
	}
}

// recording is the Markdown block for a command line.
func recording(command string, run func(arguments []string) (string, error)) (string, error) {
	shown, limit := command, -1
	if line, lines, piped := strings.Cut(command, " | head "); piped {
		shown = line
		if _, err := fmt.Sscan(lines, &limit); err != nil {
			return "", fmt.Errorf("%q: head wants a number", command)
		}
	}
	words := strings.Fields(shown)
	if len(words) == 0 || words[0] != "kls" {
		return "", fmt.Errorf("%q is no command of kls", command)
	}
	output, err := run(words[1:])
	if err != nil {
		return "", err
	}
	return "```console\n$ " + shown + "\n" + firstLines(output, limit) + "```\n", nil
}

// firstLines keeps that many lines, all if the limit is negative, and shows where it cut.
func firstLines(text string, limit int) string {
	lines := strings.SplitAfter(text, "\n")
	if limit < 0 || len(lines) <= limit {
		return text
	}
	return strings.Join(lines[:limit], "") + "…\n"
}
