package text

import (
	"cmp"
	"fmt"
	"slices"
)

// Edit replaces the bytes of a span. An empty span inserts.
type Edit struct {
	Span
	New string
}

// Apply returns a new text with all edits made; every span is in offsets of
// the text as given. Edits may come in any order; several insertions at one
// offset keep the order they came in, before a replacement that begins there.
// Edits that overlap or lie outside the text are our bug, and an error.
func Apply(text []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out []byte
	done := 0
	for _, e := range sorted {
		if e.Start < done || e.End < e.Start || e.End > len(text) {
			return nil, fmt.Errorf("edit of bytes %d to %d overlaps another or lies outside %d bytes", e.Start, e.End, len(text))
		}
		out = append(out, text[done:e.Start]...)
		out = append(out, e.New...)
		done = e.End
	}
	return append(out, text[done:]...), nil
}
