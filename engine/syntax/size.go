package syntax

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/kustomize-lsp/kls/engine/text"
)

// defaultValues is how many values a text may have, unless Table.LimitValues says
// otherwise: a node takes some 200 bytes, and yaml.v3 makes all of a text at once.
const defaultValues = 2_000_000

// LimitValues says how many values a text may have; aliases and merge keys may add
// a quarter of that.
func (t *Table) LimitValues(values int64) { t.values.Store(values) }

func (t *Table) valueLimit() int64 { return cmp.Or(t.values.Load(), defaultValues) }

// checkSize returns the problem of a text that may have too many values to be read.
func (t *Table) checkSize(id text.FileID, content []byte) (Problem, bool) {
	limit := t.valueLimit()
	if int64(len(content)) <= limit || mostValues(content) <= limit {
		return Problem{}, false
	}
	end := min(lineEnd(content, 0), 80)
	return Problem{Kind: SizeLimit, File: id, Span: text.Span{End: end}, Detail: fmt.Sprintf("%d lines, commas and colons", limit)}, true
}

// mostValues returns about how many values a text has at most. That of a string counts
// too: only parsing would tell.
func mostValues(content []byte) int64 {
	count := 0
	for _, separator := range []string{"\n", ",", ":"} {
		count += bytes.Count(content, []byte(separator))
	}
	return int64(count)
}
