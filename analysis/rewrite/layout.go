package rewrite

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// replace makes the edits that put another value in the place of the last slot of a way.
func (d *document) replace(way []slot, value *yaml.Node) ([]text.Edit, bool) {
	s := way[len(way)-1]
	old := s.node
	if old.Kind == yaml.AliasNode {
		return nil, false
	}
	span := d.valueSpan(old)
	if isBlock(old) {
		span.End = max(span.End, d.contentEnd(old))
	}
	if inFlow(way) || d.isJSON() {
		written, ok := flowText(value, old.Style, d.isJSON())
		return []text.Edit{{Span: span, New: written}}, ok
	}
	isLine := value.Kind == yaml.ScalarNode && !isLong(value) || value.Kind != yaml.ScalarNode && (len(value.Content) == 0 || old.Style&yaml.FlowStyle != 0 && len(old.Content) > 0)
	if s.parent == nil {
		return []text.Edit{{Span: d.span(old), New: strings.Join(d.block(value, 0), d.newline)}}, true
	}
	if old.Kind == yaml.ScalarNode && !isNull(old) && isLine || isFlow(old) && isLine {
		style := old.Style
		if isBlock(old) {
			style = 0
		}
		return []text.Edit{{Span: span, New: lineText(value, style)}}, true
	}
	return d.relay(s, value, isLine)
}

// relay writes a value anew from the colon or dash in front of it.
func (d *document) relay(s slot, value *yaml.Node, isLine bool) ([]text.Edit, bool) {
	start, indent := d.afterMark(s)
	if start < 0 || s.node.Anchor != "" {
		return nil, false
	}
	end := max(start, d.contentEnd(s.node))
	if isNull(s.node) && s.node.Value == "" {
		end = start
	}
	var written string
	switch {
	case isLine:
		written = " " + lineText(value, 0)
	case value.Kind == yaml.ScalarNode:
		written = " " + strings.Join(d.literal(value, indent), d.newline)
	case s.parent.Kind == yaml.SequenceNode:
		lines := d.block(value, indent)
		lines[0] = " " + strings.TrimLeft(lines[0], " ")
		written = strings.Join(lines, d.newline)
	default:
		if value.Kind == yaml.SequenceNode && !d.indentsDashes() {
			indent -= indentStep
		}
		written = d.newline + strings.Join(d.block(value, indent), d.newline)
	}
	headEnd := d.lines.LineSpan(d.lineAt(start)).End
	if rest := d.text[start:headEnd]; end > headEnd && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("#")) {
		// A comment behind the key stays there.
		if isLine {
			return []text.Edit{{Span: text.Span{Start: start, End: start}, New: written}, {Span: text.Span{Start: headEnd, End: end}}}, true
		}
		if value.Kind == yaml.ScalarNode || s.parent.Kind == yaml.SequenceNode {
			return nil, false
		}
		start = headEnd
	}
	return []text.Edit{{Span: text.Span{Start: start, End: end}, New: written}}, true
}

const indentStep = 2

// afterMark returns the offset behind the colon or dash in front of a value, and how far in its further lines stand.
func (d *document) afterMark(s slot) (offset, indent int) {
	if s.parent.Kind == yaml.MappingNode {
		key := s.parent.Content[s.index-1]
		at := bytes.IndexByte(d.text[d.span(key).End:], ':')
		if at < 0 {
			return -1, 0
		}
		return d.span(key).End + at + 1, d.column(key) + indentStep
	}
	dash := d.dashBefore(s.node)
	return dash + 1, dash - d.lineStart(d.lineAt(dash)) + indentStep
}

// dashBefore returns the offset of the dash of a block list's element.
func (d *document) dashBefore(n *yaml.Node) int {
	return max(0, bytes.LastIndexByte(d.text[:d.span(n).Start], '-'))
}

// insert makes the edits that give the mapping at the end of a way another entry, behind those that it has.
func (d *document) insert(way []slot, key string, value *yaml.Node) ([]text.Edit, bool) {
	m := way[len(way)-1].node
	entry := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{word(key), value}}
	switch {
	case m.Kind == yaml.AliasNode:
		return nil, false
	case isNull(m) || m.Kind == yaml.MappingNode && len(m.Content) == 0:
		return d.replace(way, entry)
	case m.Kind != yaml.MappingNode:
		return nil, false
	case isFlow(m):
		written, ok := flowText(entry, 0, d.isJSON())
		return d.extendFlow(m, strings.TrimSuffix(strings.TrimPrefix(written, "{"), "}")), ok
	}
	return []text.Edit{d.insertLines(d.contentEnd(m), d.block(entry, d.column(m.Content[0])))}, true
}

// add makes the edits that put an element behind those of the list at the end of a way.
func (d *document) add(way []slot, value *yaml.Node) ([]text.Edit, bool) {
	list := way[len(way)-1].node
	element := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{value}}
	switch {
	case list.Kind == yaml.AliasNode:
		return nil, false
	case isNull(list) || list.Kind == yaml.SequenceNode && len(list.Content) == 0:
		return d.replace(way, element)
	case list.Kind != yaml.SequenceNode:
		return nil, false
	case isFlow(list):
		written, ok := flowText(value, 0, d.isJSON())
		return d.extendFlow(list, written), ok
	}
	dash := d.dashBefore(list.Content[0])
	indent := dash - d.lineStart(d.lineAt(dash))
	return []text.Edit{d.insertLines(d.contentEnd(list), d.block(element, indent))}, true
}

// extendFlow puts an entry behind those of a collection in brackets, on a line of its own where they stand so.
func (d *document) extendFlow(n *yaml.Node, entry string) []text.Edit {
	last := n.Content[len(n.Content)-1]
	at := d.span(last).End
	separator := ", "
	if first := n.Content[0]; d.lineAt(d.span(n).Start) != d.lineAt(d.span(first).Start) {
		separator = "," + d.newline + strings.Repeat(" ", d.column(first))
	}
	return []text.Edit{{Span: text.Span{Start: at, End: at}, New: separator + entry}}
}

// insertLines puts lines behind the line of an offset.
func (d *document) insertLines(offset int, lines []string) text.Edit {
	at := d.lines.LineSpan(d.lineAt(offset)).End
	return text.Edit{Span: text.Span{Start: at, End: at}, New: d.newline + strings.Join(lines, d.newline)}
}

// remove makes the edits that take away the entry or element at the end of a way. A collection without any is left empty.
func (d *document) remove(way []slot) ([]text.Edit, bool) {
	if len(way) < 2 {
		return nil, false
	}
	s := way[len(way)-1]
	first := s.index
	if s.parent.Kind == yaml.MappingNode {
		first--
	}
	step := s.index - first + 1
	if len(s.parent.Content) == step {
		return d.replace(way[:len(way)-1], &yaml.Node{Kind: s.parent.Kind, Tag: s.parent.Tag})
	}
	if isFlow(s.parent) {
		span := text.Span{Start: d.span(s.parent.Content[first]).Start, End: d.span(s.node).End}
		if first > 0 {
			span.Start = d.span(s.parent.Content[first-1]).End
		} else {
			span.End = d.span(s.parent.Content[first+step]).Start
		}
		return []text.Edit{{Span: span}}, true
	}
	start := d.span(s.parent.Content[first]).Start
	if s.parent.Kind == yaml.SequenceNode {
		start = d.dashBefore(s.node)
	}
	if d.begins(start) {
		return []text.Edit{d.removeLines(d.lineAt(start), d.lineAt(max(start, d.contentEnd(s.node)-1)))}, true
	}
	if s.parent.Kind == yaml.MappingNode && first == 0 { // behind a dash: the next entry takes its place
		return []text.Edit{{Span: text.Span{Start: start, End: d.span(s.parent.Content[step]).Start}}}, true
	}
	return nil, false
}

func (d *document) removeLines(first, last int) text.Edit {
	start, end := d.lineStart(first), d.lineStart(last+1)
	if last+1 >= d.lines.Count() && first > 0 {
		start = d.lines.LineSpan(first - 1).End
	}
	return text.Edit{Span: text.Span{Start: start, End: end}}
}

// block writes a value as lines, each so far in.
func (d *document) block(value *yaml.Node, indent int) []string {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(indentStep)
	if !d.indentsDashes() {
		encoder.CompactSeqIndent()
	}
	if err := encoder.Encode(written(value)); err != nil {
		return []string{}
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = strings.Repeat(" ", indent) + line
		}
	}
	return lines
}

// written copies a value for the encoder: without comments and places, and with the quotes that readers of YAML 1.1 need.
func written(n *yaml.Node) *yaml.Node {
	to := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)}
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return written(n.Alias)
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		switch {
		case isLong(n):
			to.Style = yaml.LiteralStyle
		case to.Style == 0 && !scalar.ReadsAsText(n.Value, false):
			to.Style = quotesOf(scalar.Write(n.Value, 0, false))
		}
	}
	for _, child := range n.Content {
		to.Content = append(to.Content, written(child))
	}
	return to
}

func quotesOf(written string) yaml.Style {
	if strings.HasPrefix(written, "'") {
		return yaml.SingleQuotedStyle
	}
	return yaml.DoubleQuotedStyle
}

// isLong tells whether a scalar is best written as lines of a block.
func isLong(n *yaml.Node) bool {
	v := n.Value
	return n.ShortTag() == "!!str" && strings.Contains(strings.TrimRight(v, "\n"), "\n") && !strings.HasPrefix(v, " ") && !strings.HasPrefix(v, "\n") &&
		!strings.Contains(v, "\r") && !strings.Contains(v, " \n") && !strings.HasSuffix(v, " ") && utf8.ValidString(v) && strings.IndexFunc(v, isUnprintable) < 0
}

func isUnprintable(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF
}

// literal writes a text as a literal block, its header first.
func (d *document) literal(n *yaml.Node, indent int) []string {
	body := strings.TrimRight(n.Value, "\n")
	header := "|"
	switch ends := len(n.Value) - len(body); {
	case ends == 0:
		header = "|-"
	case ends > 1:
		header = "|+"
	}
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = strings.Repeat(" ", indent) + line
		}
	}
	if header == "|+" {
		lines = append(lines, make([]string, len(n.Value)-len(body)-1)...)
	}
	return append([]string{header}, lines...)
}

// lineText writes a value on one line outside of brackets, a scalar in quotes of that style.
func lineText(n *yaml.Node, style yaml.Style) string {
	if n.Kind != yaml.ScalarNode {
		written, _ := flowText(n, 0, false)
		return written
	}
	return scalarText(n, style, false)
}

// scalarText writes a scalar: a text in the quotes of the style, or those that it needs; anything else as it is.
func scalarText(n *yaml.Node, style yaml.Style, inFlow bool) string {
	if n.ShortTag() != "!!str" {
		if isNull(n) {
			return "null"
		}
		return n.Value
	}
	if quotes := n.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle); quotes != 0 && style == 0 {
		style = quotes
	}
	return scalar.Write(n.Value, style, inFlow)
}

// flowText writes a value between brackets; false for what JSON cannot say.
func flowText(n *yaml.Node, style yaml.Style, asJSON bool) (string, bool) {
	var parts []string
	switch n.Kind {
	case yaml.ScalarNode:
		if !asJSON {
			return scalarText(n, style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle), true), true
		}
		if n.ShortTag() == "!!str" {
			return scalar.DoubleQuoted(n.Value), true
		}
		written := scalarText(n, 0, true)
		return written, json.Valid([]byte(written))
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, _ := flowText(n.Content[i], 0, asJSON)
			value, ok := flowText(n.Content[i+1], 0, asJSON)
			if !ok {
				return "", false
			}
			parts = append(parts, key+": "+value)
		}
		return "{" + strings.Join(parts, ", ") + "}", true
	case yaml.SequenceNode:
		for _, child := range n.Content {
			value, ok := flowText(child, 0, asJSON)
			if !ok {
				return "", false
			}
			parts = append(parts, value)
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	}
	return "", false
}

func word(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

// mapping makes a mapping of keys and nodes in turn.
func mapping(entries ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i := 0; i+1 < len(entries); i += 2 {
		n.Content = append(n.Content, word(entries[i].(string)), entries[i+1].(*yaml.Node))
	}
	return n
}

func list(entries ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: entries}
}
