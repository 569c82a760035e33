package ide

import "github.com/kustomize-lsp/kls/analysis/linediff"

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
