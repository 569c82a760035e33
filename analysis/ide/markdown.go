package ide

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/linediff"
)

// maxValue is how much of a value or a line is shown, in characters.
const maxValue = 120

// inlineCode puts a text of one line between backquotes.
func inlineCode(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

// quantity is a number with a word in the right form.
func quantity(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// shortened makes a text one line of some length.
func shortened(value string) string { return cutLine(strings.ReplaceAll(value, "\n", "⏎")) }

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// diffLines returns the lines of a diff, at most limit of them, and of each not more
// than a hover has room for.
func diffLines(before, after string, limit int) []string {
	lines := linediff.Lines(before, after, limit)
	for i, line := range lines {
		lines[i] = cutLine(line)
	}
	return lines
}

func cutLine(line string) string {
	if runes := []rune(line); len(runes) > maxValue {
		return string(runes[:maxValue]) + "…"
	}
	return line
}
