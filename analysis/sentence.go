package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// shownAlso is how many other things a diagnostic names; more are counted.
const shownAlso = 3

// Others are what the same rule says of other things at the same place: the first of
// them, and how many more there are.
func (d Diagnostic) Others() []string {
	others := slices.Clone(d.Also[:min(len(d.Also), shownAlso)])
	if more := len(d.Also) - shownAlso; more > 0 {
		others = append(others, fmt.Sprintf("and %d more like this", more))
	}
	return others
}

// Text is all that a diagnostic says, in lines: the message, what holds for others too,
// and what to do about it.
func (d Diagnostic) Text() string {
	lines := append([]string{d.Message}, d.Others()...)
	if d.Help != "" {
		lines = append(lines, d.Help)
	}
	return strings.Join(lines, "\n")
}
