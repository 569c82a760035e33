package workspace

import (
	"bytes"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// carrier brings diagnostics from the text in which they were found to the text of
// another snapshot, as an editor moves them while somebody types.
type carrier struct {
	to    *vfs.Snapshot
	moves map[*vfs.File]*move // by the old file
}

func newCarrier(to *vfs.Snapshot) *carrier { return &carrier{to, map[*vfs.File]*move{}} }

// move is a change of a text in one place: what lies before start stays, what lies
// from oldEnd on is shifted to newEnd.
type move struct{ start, oldEnd, newEnd int }

// report returns a copy with the places moved, without fixes for text that changed
// and without what is in files that are gone.
func (c *carrier) report(report *analysis.Report, from *vfs.Snapshot) *analysis.Report {
	if report == nil || from == c.to {
		return report
	}
	moved := &analysis.Report{Roots: report.Roots}
	for _, d := range report.Diagnostics {
		m, there := c.between(d.File, from)
		switch {
		case !there:
			continue
		case m != nil:
			d.Span = m.span(d.Span)
			d.Fixes = nil
		}
		if len(d.Related) > 0 {
			d.Related = c.related(d.Related, from)
		}
		moved.Diagnostics = append(moved.Diagnostics, d)
	}
	return moved
}

func (c *carrier) related(list []analysis.Related, from *vfs.Snapshot) []analysis.Related {
	var moved []analysis.Related
	for _, r := range list {
		m, there := c.between(r.File, from)
		if !there {
			continue
		}
		if m != nil {
			r.Span = m.span(r.Span)
		}
		moved = append(moved, r)
	}
	return moved
}

// between returns how a file changed, nil where it did not; there is false where it
// is gone.
func (c *carrier) between(path string, from *vfs.Snapshot) (m *move, there bool) {
	before, err := from.ReadFile(path)
	if err != nil {
		return nil, true // what could not be read, a folder say, has no text to move in
	}
	after, err := c.to.ReadFile(path)
	if err != nil {
		return nil, false
	}
	if before == after {
		return nil, true
	}
	m, ok := c.moves[before]
	if !ok {
		m = newMove(before.Data, after.Data)
		c.moves[before] = m
	}
	return m, true
}

// newMove returns the smallest change that makes one text of the other, nil for none.
func newMove(before, after []byte) *move {
	if bytes.Equal(before, after) {
		return nil
	}
	limit := min(len(before), len(after))
	start := 0
	for start < limit && before[start] == after[start] {
		start++
	}
	tail := 0
	for tail < limit-start && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	return &move{start, len(before) - tail, len(after) - tail}
}

// span moves a span. What was typed at its beginning is not part of it; what lies in
// the changed text covers all of the new.
func (m *move) span(s text.Span) text.Span {
	switch {
	case s.Start >= m.oldEnd:
		s.Start += m.newEnd - m.oldEnd
	case s.Start > m.start:
		s.Start = m.start
	}
	switch {
	case s.End <= m.start:
	case s.End >= m.oldEnd:
		s.End += m.newEnd - m.oldEnd
	default:
		s.End = m.newEnd
	}
	s.End = max(s.Start, s.End)
	return s
}
