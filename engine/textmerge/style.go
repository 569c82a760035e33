package textmerge

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// style is how a document is laid out; new text follows it.
type style struct {
	newline string
	// unit is the indentation of one level.
	unit string
	// sequence is the indentation of a block list below its key.
	sequence string
	// colon, comma and pad are what stands between key and value, between members
	// on one line, and between the brackets of a map and what is in them.
	colon, comma, pad string
}

// observed is what a text shows of its style; nil is what it does not show.
type observed struct{ unit, sequence, colon, comma, pad *string }

// documentStyle is the style of the base, with that of the overlay where the base
// shows none.
func (m *merger) documentStyle() style {
	base, overlay := m.base.observe(m.base.root), m.overlay.observe(m.overlay.root)
	s := style{newline: "\n", colon: ": ", unit: "  "}
	if at := bytes.IndexByte(m.base.text, '\n'); at > 0 && m.base.text[at-1] == '\r' {
		s.newline = "\r\n"
	}
	s.unit = first("  ", base.unit, overlay.unit)
	s.sequence = first(s.unit, base.sequence)
	if base.sequence == nil && overlay.sequence != nil && *overlay.sequence == "" {
		s.sequence = ""
	}
	s.colon = first(": ", base.colon, overlay.colon)
	s.comma = first(commaFor(s.colon), base.comma)
	if base.colon == nil && base.comma == nil && overlay.comma != nil {
		s.comma = *overlay.comma
	}
	s.pad = first("", base.pad)
	if base.colon == nil {
		s.pad = first("", base.pad, overlay.pad)
	}
	return s
}

func first(otherwise string, seen ...*string) string {
	for _, s := range seen {
		if s != nil {
			return *s
		}
	}
	return otherwise
}

// commaFor is the comma of somebody who writes such colons.
func commaFor(colon string) string {
	if strings.HasSuffix(colon, " ") {
		return ", "
	}
	return ","
}

// observe walks through a tree until everything was seen.
func (d *document) observe(root *node) *observed {
	o := &observed{}
	if root != nil {
		o.walk(d, root, nil)
	}
	return o
}

func (o *observed) walk(d *document, n *node, parent *member) {
	if o.unit != nil && o.sequence != nil && o.colon != nil && o.comma != nil && o.pad != nil {
		return
	}
	o.look(d, n, parent)
	for i := range n.members {
		o.walk(d, n.members[i].value, &n.members[i])
	}
	for _, item := range n.items {
		o.walk(d, item, nil)
	}
}

// look sees what one collection shows.
func (o *observed) look(d *document, n *node, parent *member) {
	starts := n.childSpans()
	if len(starts) == 0 {
		return
	}
	if n.flow && o.colon == nil && n.kind == mapping {
		o.colon = d.colonOf(n)
	}
	if n.flow && !n.lines {
		if o.comma == nil {
			o.comma = d.commaOf(starts)
		}
		if pad := string(d.text[n.body.Start+1 : starts[0].Start]); o.pad == nil && n.kind == mapping {
			o.pad = &pad
		}
		return
	}
	if o.unit == nil && (n.flow || n.kind == mapping && parent != nil) {
		o.unit = d.unitOf(n, parent)
	}
	if o.sequence == nil && !n.flow && n.kind == sequence && parent != nil && d.ownLine(parent.start) {
		offset := strings.TrimPrefix(d.lineIndent(starts[0].Start), d.lineIndent(parent.start))
		if !d.sameLine(starts[0].Start, parent.key.span.Start) {
			o.sequence = &offset
		}
	}
}

// childSpans are the spans of the members or items of a collection.
func (n *node) childSpans() []text.Span {
	var spans []text.Span
	for _, m := range n.members {
		spans = append(spans, text.Span{Start: m.start, End: m.end})
	}
	for _, item := range n.items {
		spans = append(spans, item.span)
	}
	return spans
}

// colonOf returns what stands between a key and its value on the same line; nil
// where no member of the map has that.
func (d *document) colonOf(n *node) *string {
	for _, m := range n.members {
		if m.value.span.Start < m.key.span.End {
			continue
		}
		between := string(d.text[m.key.span.End:m.value.span.Start])
		if strings.Count(between, ":") == 1 && strings.Trim(between, ": \t") == "" && m.value.span.Len() > 0 {
			return &between
		}
	}
	return nil
}

// commaOf returns the comma, and the blanks after it, between two on one line.
func (d *document) commaOf(children []text.Span) *string {
	for i := 1; i < len(children); i++ {
		if _, after, ok := strings.Cut(string(d.text[children[i-1].End:children[i].Start]), ","); ok && strings.Trim(after, " \t") == "" {
			comma := "," + after
			return &comma
		}
	}
	return nil
}

// unitOf returns by how much the first child that begins a line is indented more
// than the line of its collection, or for a block map, of its key.
func (d *document) unitOf(n *node, parent *member) *string {
	outer := d.lineIndent(n.body.Start)
	if !n.flow {
		if !d.ownLine(parent.start) {
			return nil
		}
		outer = d.lineIndent(parent.start)
	}
	for _, child := range n.childSpans() {
		if !d.ownLine(child.Start) {
			continue
		}
		if unit, ok := strings.CutPrefix(d.lineIndent(child.Start), outer); ok && unit != "" {
			return &unit
		}
		return nil
	}
	return nil
}

func (d *document) lineStart(at int) int {
	start := bytes.LastIndexByte(d.text[:at], '\n') + 1
	if start == 0 && bytes.HasPrefix(d.text, []byte(byteOrderMark)) && at >= len(byteOrderMark) {
		start = len(byteOrderMark)
	}
	return start
}

// lineIndent returns the blanks that the line of the offset begins with.
func (d *document) lineIndent(at int) string {
	line := d.text[d.lineStart(at):lineEnd(d.text, at)]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// ownLine tells whether only blanks stand before the offset on its line.
func (d *document) ownLine(at int) bool {
	return len(bytes.TrimLeft(d.text[d.lineStart(at):at], " \t")) == 0
}

func (d *document) sameLine(a, b int) bool { return d.lineStart(a) == d.lineStart(b) }
