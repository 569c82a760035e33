package syntax

import (
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// NodeSpan returns the text of a node and the bytes it takes there.
func NodeSpan(table *Table, n *yaml.Node) (text.FileID, text.Span) {
	file, line, column := Place(n)
	source := table.Source(file)
	if source == nil {
		return 0, text.Span{}
	}
	start := source.Lines().MarkToOffset(line, column)
	return file, text.Span{Start: start, End: start}
}

type scalarMapping struct{}
