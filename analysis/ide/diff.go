package ide

import "github.com/kustomize-lsp/kls/analysis/linediff"

// diffLines returns the lines of a diff, at most limit of them.
func diffLines(before, after string, limit int) []string { return linediff.Lines(before, after, limit) }
