// Package markdown describes things for people: in hovers, completions and explanations.
package markdown

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/linediff"
	"github.com/kustomize-lsp/kls/engine/text"
)

// MaxValue is how much of a value or a line is shown, in characters.
const MaxValue = 120

// InlineCode shows a text, on one line, as it is.
func InlineCode(shown string) string {
	shown = text.Visible(strings.Join(strings.Fields(shown), " "))
	fence := "`"
	for strings.Contains(shown, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + shown + " " + fence
	}
	return fence + shown + fence
}

// Quantity is a number with a word in the right form.
func Quantity(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Shortened makes a text one line of some length.
func Shortened(value string) string { return CutLine(strings.ReplaceAll(value, "\n", "⏎")) }

func FileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	address := (&url.URL{Scheme: "file", Path: path}).String()
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(address) // the end of a link's target
}

// DiffLines returns the lines of a diff, at most limit of them, and of each not more
// than a hover has room for.
func DiffLines(before, after string, limit int) []string {
	lines := linediff.Lines(before, after, limit)
	for i, line := range lines {
		lines[i] = CutLine(line)
	}
	return lines
}

func CutLine(line string) string {
	if runes := []rune(line); len(runes) > MaxValue {
		return string(runes[:MaxValue]) + "…"
	}
	return line
}
