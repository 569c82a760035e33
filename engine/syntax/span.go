package syntax

import (
	"bytes"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// NodeSpan returns the text of a node and the bytes it takes there, with
// quotes, brackets, block header, anchor and tag. A collection in block style
// ends with its last content, a block scalar before its last line break. Of a
// node that was changed after it was read it is what stands at its place. The
// ID is zero for a node without a place.
func NodeSpan(table *Table, n *yaml.Node) (text.FileID, text.Span) {
	file, source, start := locate(table, n)
	if source == nil {
		return 0, text.Span{}
	}
	return file, text.Span{Start: start, End: nodeEnd(table, source, n)}
}

// ValueSpan is NodeSpan without anchor and tag.
func ValueSpan(table *Table, n *yaml.Node) (text.FileID, text.Span) {
	file, source, start := locate(table, n)
	if source == nil {
		return 0, text.Span{}
	}
	end := nodeEnd(table, source, n)
	// Behind an anchor without a value there may be line breaks.
	return file, text.Span{Start: min(valueStart(source.content, start), end), End: end}
}

// InnerSpan is ValueSpan without quotes, brackets or block header. That of a
// block scalar begins after the indentation of its first line and goes to the
// end of the lines that belong to it.
func InnerSpan(table *Table, n *yaml.Node) (text.FileID, text.Span) {
	file, span := ValueSpan(table, n)
	if file == 0 {
		return 0, span
	}
	content := table.Source(file).content
	if n.Kind == yaml.ScalarNode {
		return file, scanScalar(content, span.Start, n.Value).inner
	}
	if isFlowStart(content, span.Start) && span.Len() >= 2 {
		return file, text.Span{Start: span.Start + 1, End: span.End - 1}
	}
	return file, span
}

// EntrySpan returns the bytes from the beginning of a key to the end of its
// value, or of the key where the value was written elsewhere.
func EntrySpan(table *Table, key, value *yaml.Node) (text.FileID, text.Span) {
	file, span := NodeSpan(table, key)
	if valueFile, valueSpan := NodeSpan(table, value); valueFile == file && valueSpan.End > span.End {
		span.End = valueSpan.End
	}
	return file, span
}

func locate(table *Table, n *yaml.Node) (text.FileID, *Source, int) {
	if n == nil {
		return 0, nil, 0
	}
	file, line, column := table.Place(n)
	source := table.Source(file)
	if source == nil {
		return 0, nil, 0
	}
	return file, source, source.Lines().MarkToOffset(line, column)
}

// nodeEnd scans from the beginning of a scalar, and of a collection from the
// end of what comes last in it.
func nodeEnd(table *Table, source *Source, n *yaml.Node) int {
	_, _, at := locate(table, n)
	start := valueStart(source.content, at)
	switch n.Kind {
	case yaml.AliasNode:
		return min(start+1+len(n.Value), len(source.content))
	case yaml.ScalarNode:
		if isUnwritten(n) || n.Value == "" && isPlainStart(source.content, start) {
			return propertiesEnd(source.content, at)
		}
		return scanScalar(source.content, start, n.Value).outer.End
	}
	end := start
	if last := lastChild(table, n); last != nil {
		end = nodeEnd(table, source, last)
	}
	if isFlowStart(source.content, start) {
		return flowEnd(source.content, max(start+1, end))
	}
	return max(start, end)
}

// lastChild returns the child that stands last in the text of the node; a
// build may have added children from other texts, or changed the order.
func lastChild(table *Table, n *yaml.Node) *yaml.Node {
	file, line, column := table.Place(n)
	var last *yaml.Node
	for _, child := range n.Content {
		childFile, childLine, childColumn := table.Place(child)
		if childFile == file && (childLine > line || childLine == line && childColumn >= column) {
			last, line, column = child, childLine, childColumn
		}
	}
	return last
}

// flowEnd returns the offset after the bracket that closes a collection whose
// last content ends at the offset.
func flowEnd(content []byte, at int) int {
	for i := at; i < len(content); i++ {
		switch content[i] {
		case ']', '}':
			return i + 1
		case '#':
			i = lineEnd(content, i)
		case ' ', '\t', '\r', '\n', ',', ':', '?':
		default:
			return at
		}
	}
	return at
}

func isFlowStart(content []byte, at int) bool {
	return at < len(content) && (content[at] == '[' || content[at] == '{')
}

// isUnwritten tells whether a scalar has no text but perhaps anchor and tag, as
// the value of "key:".
func isUnwritten(n *yaml.Node) bool {
	return n.Value == "" && n.Style&^yaml.TaggedStyle == 0
}

// isPlainStart tells whether no quoted or block scalar begins at the offset.
func isPlainStart(content []byte, at int) bool {
	return at >= len(content) || bytes.IndexByte([]byte(`"'|>`), content[at]) < 0
}

// valueStart returns the offset of what follows anchor and tag, which may be
// on a later line. yaml.v3 gives a node the place of the first of them.
func valueStart(content []byte, at int) int {
	end := propertiesEnd(content, at)
	if end == at {
		return at
	}
	for end < len(content) {
		switch content[end] {
		case ' ', '\t', '\r', '\n':
			end++
			continue
		case '#':
			end = lineEnd(content, end)
			continue
		}
		break
	}
	return end
}

// propertiesEnd returns the offset after the last of anchor and tag that begin
// at the offset, which itself is returned where there is none.
func propertiesEnd(content []byte, at int) int {
	end, seen := at, byte(0)
	for i := at; i < len(content); {
		switch c := content[i]; {
		case (c == '&' || c == '!') && seen != c:
			i = propertyEnd(content, i)
			end, seen = i, c
		case seen != 0 && (isBlank(c) || c == '\n' || c == '\r'):
			i++
		default:
			return end
		}
	}
	return end
}

// propertyEnd returns the offset after one anchor or tag. yaml.v3 wants a blank
// or line break after a tag, also in a flow collection.
func propertyEnd(content []byte, at int) int {
	i := at + 1
	for i < len(content) && !isBlank(content[i]) && text.BreakLength(content, i) == 0 {
		if content[at] == '&' && !isAnchorCharacter(content[i]) {
			break
		}
		i++
	}
	return i
}

func isAnchorCharacter(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_' || c == '-'
}

func lineEnd(content []byte, at int) int {
	if length := bytes.IndexByte(content[at:], '\n'); length >= 0 {
		return at + length
	}
	return len(content)
}
