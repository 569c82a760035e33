package diff

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Hunk is some lines that differ, with those around them.
type Hunk struct {
	// OldLine and NewLine are the 1-based numbers of the first lines; 0 for a side
	// without lines. Old and New count the lines.
	OldLine, Old, NewLine, New int
	Lines                      []Line
}

// Line is a line of a hunk: of both sides (' '), the old one ('-') or the new one
// ('+'). It has no line break.
type Line struct {
	Kind byte
	Text string
}

// Header is the line that begins a hunk in a unified diff.
func (h Hunk) Header() string {
	return fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.OldLine, h.Old, h.NewLine, h.New)
}

// hunks compares two texts by lines.
func hunks(before, after string) []Hunk {
	unified := string(diff.Diff("before", []byte(before), "after", []byte(after)))
	var found []Hunk
	for line := range strings.Lines(unified) {
		line = strings.TrimSuffix(line, "\n")
		h := Hunk{}
		if n, _ := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &h.OldLine, &h.Old, &h.NewLine, &h.New); n == 4 {
			found = append(found, h)
			continue
		}
		if len(found) > 0 && line != "" && strings.IndexByte(" -+", line[0]) >= 0 {
			last := &found[len(found)-1]
			last.Lines = append(last.Lines, Line{line[0], line[1:]})
		}
	}
	return found
}
