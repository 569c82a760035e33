package rewrite

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// document is a YAML document of a file, or one that is embedded in a string there, taken apart for editing. It never
// changes: what is to be changed is returned as edits of the file.
type document struct {
	table   *syntax.Table
	id      text.FileID
	text    []byte
	lines   *text.Lines
	newline string
	root    *yaml.Node
	// outer is the document that this one is embedded in, and host the scalar there; nil for a document of the file.
	outer *document
	host  *yaml.Node
}

// documents takes the documents of a file apart; nil where its YAML is broken.
func documents(content []byte) []*document {
	table := syntax.NewTable()
	return parse(table, table.Add("", content), nil, nil)
}

func parse(table *syntax.Table, id text.FileID, outer *document, host *yaml.Node) []*document {
	content := table.Source(id).Text()
	parsed := syntax.Parse(table, id)
	if len(parsed.Problems) > 0 {
		return nil
	}
	var all []*document
	for _, doc := range parsed.Documents {
		all = append(all, &document{table: table, id: id, text: content, lines: text.NewLines(content), newline: text.LineBreak(content),
			root: doc.Root, outer: outer, host: host})
	}
	return all
}

// embedded takes the document apart that a scalar holds; nil where it holds none.
func (d *document) embedded(host *yaml.Node) *document {
	if host.Kind != yaml.ScalarNode || strings.TrimSpace(host.Value) == "" {
		return nil
	}
	inner := parse(d.table, d.table.AddEmbedded(host, host.Value), d, host)
	if len(inner) != 1 || inner[0].root == nil || inner[0].root.Kind == yaml.ScalarNode {
		return nil
	}
	return inner[0]
}

// slot is where a value stands: in the Content of its parent, at an index; parent is nil for the root.
type slot struct {
	parent *yaml.Node
	index  int
	node   *yaml.Node
}

// locate finds what stands at a byte offset of the file: the document that it is in, at whatever depth, and the way to
// the node that begins there or, where none does, to the scalar that the offset lies in.
func locate(content []byte, offset int) (d *document, way []slot, inner int) {
	all := documents(content)
	for i, candidate := range all {
		if candidate.root == nil {
			continue
		}
		_, span := syntax.NodeSpan(candidate.table, candidate.root)
		if offset >= span.Start && (i == len(all)-1 || offset <= span.End) {
			d = candidate
		}
	}
	for d != nil {
		inner = offset
		if d.outer != nil {
			var ok bool
			if inner, ok = d.table.EmbeddedOffset(d.id, offset); !ok {
				return nil, nil, 0
			}
		}
		if way = d.wayTo(inner); way == nil {
			return nil, nil, 0
		}
		n := way[len(way)-1].node
		if n.Kind != yaml.ScalarNode || d.valueSpan(n).Start >= inner {
			return d, way, inner
		}
		deeper := d.embedded(n)
		if deeper == nil {
			return d, way, inner
		}
		d = deeper
	}
	return nil, nil, 0
}

// wayTo returns the way from the root to the innermost value that begins at an offset, or to the scalar around it.
func (d *document) wayTo(offset int) []slot {
	var walk func(s slot) []slot
	walk = func(s slot) []slot {
		span := d.span(s.node)
		if offset < span.Start || offset > max(span.End, d.contentEnd(s.node)) {
			return nil
		}
		for i, child := range s.node.Content {
			if s.node.Kind == yaml.MappingNode && i%2 == 0 {
				continue
			}
			if found := walk(slot{s.node, i, child}); found != nil {
				return append([]slot{s}, found...)
			}
		}
		if span.Start == offset || d.valueSpan(s.node).Start == offset || s.node.Kind == yaml.ScalarNode {
			return []slot{s}
		}
		return nil
	}
	if d.root == nil {
		return nil
	}
	return walk(slot{node: d.root})
}

// follow returns the slots along keys of mappings as far as they are there, the root first.
func (d *document) follow(keys ...string) []slot {
	way := []slot{{node: d.root}}
	for _, key := range keys {
		n := way[len(way)-1].node
		i := fieldIndex(n, key)
		if i < 0 {
			break
		}
		way = append(way, slot{n, i, n.Content[i]})
	}
	return way
}

// fieldIndex returns the index of a field's value, -1 where there is none.
func fieldIndex(n *yaml.Node, key string) int {
	if n == nil || n.Kind != yaml.MappingNode {
		return -1
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i + 1
		}
	}
	return -1
}

func (d *document) span(n *yaml.Node) text.Span {
	_, span := syntax.NodeSpan(d.table, n)
	return span
}

func (d *document) valueSpan(n *yaml.Node) text.Span {
	_, span := syntax.ValueSpan(d.table, n)
	return span
}

// contentEnd is the end of a node with the lines that belong to the block scalar in which it may end, without the last
// line break.
func (d *document) contentEnd(n *yaml.Node) int {
	for len(n.Content) > 0 && !isFlow(n) {
		n = n.Content[len(n.Content)-1]
	}
	end := d.span(n).End
	if isBlock(n) {
		_, inner := syntax.InnerSpan(d.table, n)
		return max(end, len(bytes.TrimRight(d.text[:min(inner.End, len(d.text))], "\r\n")))
	}
	return end
}

func (d *document) lineAt(offset int) int {
	line, _ := d.lines.OffsetToLineColumn(offset)
	return line - 1
}

func (d *document) lineStart(line int) int {
	if line >= d.lines.Count() {
		return len(d.text)
	}
	return d.lines.LineSpan(line).Start
}

// column returns the bytes between the beginning of a node's line and the node.
func (d *document) column(n *yaml.Node) int {
	start := d.span(n).Start
	return start - d.lineStart(d.lineAt(start))
}

// begins tells whether nothing but blanks stands before an offset in its line.
func (d *document) begins(offset int) bool {
	return len(bytes.TrimLeft(d.text[d.lineStart(d.lineAt(offset)):offset], " ")) == 0
}

func isFlow(n *yaml.Node) bool {
	return n.Style&yaml.FlowStyle != 0 || n.Kind != yaml.ScalarNode && len(n.Content) == 0
}

func isBlock(n *yaml.Node) bool { return n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 }

func isNull(n *yaml.Node) bool {
	return n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// inFlow tells whether the last slot of a way stands between brackets.
func inFlow(way []slot) bool {
	for _, s := range way[:len(way)-1] {
		if isFlow(s.node) {
			return true
		}
	}
	return false
}

// isJSON tells whether the document is written as JSON.
func (d *document) isJSON() bool {
	return d.root != nil && isFlow(d.root) && len(d.root.Content) > 0 && (d.root.Kind == yaml.SequenceNode || d.root.Content[0].Style&yaml.DoubleQuotedStyle != 0)
}

// indentsDashes tells whether the lists of the document stand further in than their keys.
func (d *document) indentsDashes() bool {
	indents := false
	var walk func(n *yaml.Node) bool
	walk = func(n *yaml.Node) bool {
		for i, child := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 1 && child.Kind == yaml.SequenceNode && !isFlow(child) {
				indents = d.column(child) > d.column(n.Content[i-1])
				return true
			}
			if walk(child) {
				return true
			}
		}
		return false
	}
	if d.root != nil {
		walk(d.root)
	}
	return indents
}

// outwards turns edits of the document into edits of the file.
func (d *document) outwards(edits []text.Edit) ([]text.Edit, bool) {
	if d.outer == nil {
		return edits, true
	}
	mapped := make([]text.Edit, len(edits))
	for i, e := range edits {
		written := e.New
		for at := d; at.outer != nil; at = at.outer {
			var ok bool
			if written, ok = at.hosted(written); !ok {
				return nil, false
			}
		}
		_, _, span := d.table.Resolve(d.id, e.Span)
		if span.Len() == 0 && e.Span.Len() > 0 {
			return nil, false
		}
		if d.begins(e.Start) && d.begins(e.End) && e.Start == d.lineStart(d.lineAt(e.Start)) && e.Len() > 0 && e.New == "" {
			span = d.wholeLines(span) // with the indentation that the document does not have
		}
		mapped[i] = text.Edit{Span: span, New: written}
	}
	return mapped, true
}

// wholeLines widens a span of the file to where its lines begin.
func (d *document) wholeLines(span text.Span) text.Span {
	file := d
	for file.outer != nil {
		file = file.outer
	}
	lineStart := func(offset int) int { return file.lineStart(file.lineAt(offset)) }
	return text.Span{Start: lineStart(span.Start), End: lineStart(span.End)}
}

// hosted returns a text as it is written within the document's host.
func (d *document) hosted(written string) (string, bool) {
	switch {
	case d.host.Style&yaml.LiteralStyle != 0:
		_, inner := syntax.InnerSpan(d.outer.table, d.host)
		indent := inner.Start - d.outer.lineStart(d.outer.lineAt(inner.Start))
		lines := strings.Split(strings.ReplaceAll(written, "\r\n", "\n"), "\n")
		for i := 1; i < len(lines); i++ {
			if lines[i] != "" {
				lines[i] = strings.Repeat(" ", indent) + lines[i]
			}
		}
		return strings.Join(lines, d.outer.newline), true
	case strings.Contains(written, "\n") || d.host.Style&yaml.FoldedStyle != 0:
		return "", false
	case d.host.Style&yaml.DoubleQuotedStyle != 0:
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(written), true
	case d.host.Style&yaml.SingleQuotedStyle != 0:
		return strings.ReplaceAll(written, "'", "''"), true
	}
	return written, !strings.ContainsAny(written, "\\\"'#:{}[]")
}
