package syntax

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// resolveConflicts reports what a merge left unresolved, each conflict once, and keeps
// the first side of it.
func (r *repairer) resolveConflicts() {
	start, keep := -1, true
	for i, line := range r.lines {
		switch {
		case strings.HasPrefix(line, "<<<<<<< ") && r.endsConflict(i):
			start = i
			r.report(Malformed, text.Span{Start: r.starts[i], End: r.starts[i] + r.lineLength(i)},
				"a merge left this conflict: keep what is right of it, and remove the marks")
			r.lines[i] = ""
		case start < 0:
		case strings.HasPrefix(line, "||||||| ") || strings.TrimRight(line, "\r") == "=======":
			keep, r.lines[i] = false, ""
		case strings.HasPrefix(line, ">>>>>>> "):
			start, keep, r.lines[i] = -1, true, ""
		case !keep:
			r.lines[i] = ""
		}
	}
	r.open = openings(r.lines)
}

// endsConflict tells whether marks that belong to the one in a line follow it.
func (r *repairer) endsConflict(line int) bool {
	parted := false
	for _, next := range r.lines[line+1:] {
		switch {
		case strings.HasPrefix(next, "<<<<<<< "):
			return false
		case strings.TrimRight(next, "\r") == "=======":
			parted = true
		case strings.HasPrefix(next, ">>>>>>> "):
			return parted
		}
	}
	return false
}
