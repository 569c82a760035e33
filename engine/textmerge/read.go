package textmerge

import (
	"bytes"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

const byteOrderMark = "\ufeff"

// readDocument reads a text. The document is not nil; what is wrong with it is
// among the findings.
func readDocument(content []byte, format Format) (*document, []Finding) {
	if format == YAML {
		d, problem := readYAML(content, format)
		if problem != nil {
			return d, []Finding{*problem}
		}
		return d, nil
	}
	scan := scanJSON(content)
	if scan.problem == nil && len(scan.loose) == 0 {
		return &document{text: content, root: scan.root, second: -1}, nil
	}
	d, problem := readYAML(content, format)
	switch {
	case problem != nil && scan.problem != nil:
		return d, []Finding{*scan.problem}
	case problem != nil:
		return d, []Finding{*problem}
	case d.second < 0 && d.root == nil:
		return d, []Finding{{Kind: Unparsable, Span: rootSpan(d), Message: "the document is empty"}}
	case d.second < 0 && d.root.isCollection() && !d.root.flow:
		return d, []Finding{{Kind: Unparsable, Span: rootSpan(d), Message: "this is YAML", ReadsAsYAML: true}}
	}
	if scan.problem != nil {
		scan.problem.Kind = NotStrict
		scan.loose = append(scan.loose, *scan.problem)
	}
	return d, scan.loose
}

// rootSpan is the first byte of the document, for want of a better place.
func rootSpan(d *document) text.Span {
	if d.root == nil {
		return text.Span{End: min(1, len(d.text))}
	}
	return text.Span{Start: d.root.span.Start, End: min(d.root.span.Start+1, len(d.text))}
}

// readYAML reads the first document, and looks for a second.
func readYAML(content []byte, format Format) (*document, *Finding) {
	table := syntax.NewTable()
	parsed := syntax.Parse(table, table.Add("", content))
	d := &document{text: content, second: -1}
	if len(parsed.Problems) > 0 {
		p := parsed.Problems[0]
		message := p.Detail
		if message == "" {
			message = "the text is " + string(p.Kind)
		}
		return d, &Finding{Kind: Unparsable, Span: p.Span, Message: message}
	}
	if len(parsed.Documents) > 1 {
		d.second = parsed.Documents[1].Span.Start
	}
	if len(parsed.Documents) > 0 && parsed.Documents[0].Root != nil {
		b := &treeBuilder{content: content, table: table, format: format, anchors: map[string]*node{}}
		d.root = b.node(parsed.Documents[0].Root)
		if d.root.isNull() && d.root.span.Len() == 0 {
			d.root = nil
		}
	}
	return d, nil
}

// treeBuilder makes nodes of those of yaml.v3.
type treeBuilder struct {
	content []byte
	table   *syntax.Table
	format  Format
	anchors map[string]*node // the latest of each name
}

func (b *treeBuilder) node(y *yaml.Node) *node {
	n := &node{value: scalarValue{}}
	if y.Anchor != "" {
		b.anchors[y.Anchor] = n
	}
	switch y.Kind {
	case yaml.MappingNode:
		b.collection(n, y, mapping)
		for i := 0; i+1 < len(y.Content); i += 2 {
			n.members = append(n.members, b.member(y.Content[i], y.Content[i+1]))
		}
	case yaml.SequenceNode:
		b.collection(n, y, sequence)
		for _, item := range y.Content {
			n.items = append(n.items, b.node(item))
		}
	case yaml.AliasNode:
		n.kind, n.text = alias, y.Value
		if anchor := b.anchors[y.Value]; anchor != nil {
			anchor.shared = true
		}
		_, n.span = syntax.NodeSpan(b.table, y)
		n.body = n.span
		return n
	default:
		b.scalar(n, y)
		return n
	}
	b.close(n)
	return n
}

func (b *treeBuilder) member(key, value *yaml.Node) member {
	m := member{key: b.node(key), value: b.node(value)}
	m.start, m.end = m.key.span.Start, max(m.key.span.End, m.value.span.End)
	at := m.start
	for at > 0 && (b.content[at-1] == ' ' || b.content[at-1] == '\t') {
		at--
	}
	if at > 0 && at < m.start && b.content[at-1] == '?' {
		m.start = at - 1
	}
	if b.format == JSON && m.key.kind == scalar && m.key.value.tag != mergeTag {
		m.key.value = scalarValue{"!!str", m.key.text}
	}
	return m
}

// collection finds where a collection begins; its end is known after its children.
func (b *treeBuilder) collection(n *node, y *yaml.Node, k kind) {
	n.kind = k
	bare := *y
	bare.Content = nil
	_, n.span = syntax.NodeSpan(b.table, &bare)
	_, n.body = syntax.ValueSpan(b.table, &bare)
	n.flow = n.body.Start < len(b.content) && (b.content[n.body.Start] == '{' || b.content[n.body.Start] == '[') &&
		y.Style&yaml.FlowStyle != 0
	n.tag = b.tagOf(y, n)
}

// close sets the end of a collection: the bracket, or that of its last child.
func (b *treeBuilder) close(n *node) {
	end := n.body.Start
	if n.flow {
		end++
	}
	for _, m := range n.members {
		end = max(end, m.end)
	}
	for _, item := range n.items {
		end = max(end, item.span.End)
	}
	if n.flow {
		end = skipToToken(b.content, end)
		if end < len(b.content) && b.content[end] == ',' {
			end = skipToToken(b.content, end+1)
		}
		end = min(end+1, len(b.content))
	}
	n.span.End, n.body.End = end, end
	n.lines = spansLines(b.content, n.body)
}

// skipToToken returns the offset of what follows blanks, line breaks and comments.
func skipToToken(content []byte, at int) int {
	for at < len(content) {
		switch c := content[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
		case c == '#':
			length := bytes.IndexByte(content[at:], '\n')
			if length < 0 {
				return len(content)
			}
			at += length
		default:
			return at
		}
	}
	return at
}

func (b *treeBuilder) scalar(n *node, y *yaml.Node) {
	n.kind, n.text, n.value = scalar, y.Value, meaning(y, b.format)
	_, n.span = syntax.NodeSpan(b.table, y)
	_, n.body = syntax.ValueSpan(b.table, y)
	if n.body.Start > n.span.End || n.body.End < n.body.Start {
		n.body = text.Span{Start: n.span.End, End: n.span.End}
	}
	if y.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && n.body.Len() > 0 {
		n.quote = b.content[n.body.Start]
	}
	n.tag = b.tagOf(y, n)
	n.lines = spansLines(b.content, n.body)
	if n.isBlock() && keepsLines(b.content[n.body.Start:n.body.End]) {
		_, inner := syntax.InnerSpan(b.table, y)
		end := max(inner.End, n.span.End)
		if end > n.span.End && b.content[end-1] == '\n' {
			end--
		}
		n.span.End, n.body.End = end, end
	}
}

func (n *node) isBlock() bool { return n.quote == '|' || n.quote == '>' }

// keepsLines tells whether the header of a block scalar has a plus.
func keepsLines(block []byte) bool {
	header, _, _ := bytes.Cut(block, []byte("\n"))
	header, _, _ = bytes.Cut(header, []byte("#"))
	return bytes.IndexByte(header, '+') >= 0
}

// tagOf returns the tag as it is written before the value.
func (b *treeBuilder) tagOf(y *yaml.Node, n *node) string {
	if y.Style&yaml.TaggedStyle == 0 || n.body.Start < n.span.Start {
		return ""
	}
	for _, word := range bytes.Fields(b.content[n.span.Start:n.body.Start]) {
		if word[0] == '!' {
			return string(word)
		}
	}
	return ""
}
