package textmerge

import (
	"bytes"
	"strings"
)

// writer writes values of the overlay in the style of the base. Scalars keep
// their spelling where it can stand in the new place. Nulls within maps are left
// out, but not those within lists.
type writer struct {
	style  style
	d      *document
	format Format
}

func (m *merger) writer(s style) *writer { return &writer{s, m.overlay, m.format} }

// live returns the members of a map that are written.
func live(n *node, drop bool) []member {
	if !drop {
		return n.members
	}
	kept := make([]member, 0, len(n.members))
	for _, m := range n.members {
		if !m.value.isNull() {
			kept = append(kept, m)
		}
	}
	return kept
}

// explodes tells whether a collection between brackets goes one member a line: as
// the one that it replaces, else as it is written in the overlay, unless all of
// that is on one line and says nothing.
func (w *writer) explodes(n, old, parent *node) bool {
	switch {
	case !n.isCollection():
		return false
	case old != nil && old.kind == n.kind && old.flow && !old.isEmpty():
		return old.lines
	}
	return !n.flow || n.lines || parent == nil || parent.flow && !parent.lines
}

// flowMember is a member on a line of its own with the indentation.
func (w *writer) flowMember(m member, indent string, parent *node) string {
	return w.key(m.key) + w.flowValue(m.value, indent, w.explodes(m.value, nil, parent), true)
}

// flowValue is a value between brackets; indent is that of the line it begins on.
func (w *writer) flowValue(n *node, indent string, explode, drop bool) string {
	if !explode || !n.isCollection() {
		return w.inline(n, drop)
	}
	var lines []string
	deeper := indent + w.style.unit
	for _, m := range live(n, drop) {
		lines = append(lines, deeper+w.key(m.key)+w.flowValue(m.value, deeper, w.explodes(m.value, nil, n), drop))
	}
	for _, item := range n.items {
		lines = append(lines, deeper+w.flowValue(item, deeper, w.explodes(item, nil, n), false))
	}
	if len(lines) == 0 {
		return w.inline(n, drop)
	}
	inner := w.style.newline + strings.Join(lines, ","+w.style.newline) + w.style.newline + indent
	if n.kind == mapping {
		return "{" + inner + "}"
	}
	return "[" + inner + "]"
}

func (w *writer) inlineMember(m member) string { return w.key(m.key) + w.inline(m.value, true) }

// inline is a value on one line, between brackets.
func (w *writer) inline(n *node, drop bool) string {
	var parts []string
	switch n.kind {
	case mapping:
		for _, m := range live(n, drop) {
			parts = append(parts, w.key(m.key)+w.inline(m.value, drop))
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{" + w.style.pad + strings.Join(parts, w.style.comma) + w.style.pad + "}"
	case sequence:
		for _, item := range n.items {
			parts = append(parts, w.inline(item, false))
		}
		return "[" + strings.Join(parts, w.style.comma) + "]"
	}
	return w.flowScalar(n)
}

// key is a key and its colon. Without quotes the colon needs a blank.
func (w *writer) key(n *node) string {
	text := w.flowScalar(n)
	if strings.HasSuffix(w.style.colon, ":") && text[len(text)-1] != '"' && text[len(text)-1] != '\'' {
		return text + ": "
	}
	return text + w.style.colon
}

func (w *writer) raw(n *node) string { return string(w.d.text[n.body.Start:n.body.End]) }

// flowScalar is a scalar that can stand between brackets, on one line.
func (w *writer) flowScalar(n *node) string {
	raw := w.raw(n)
	switch {
	case n.isNull() && raw == "":
		raw = "null"
	case n.isBlock() || n.lines:
		raw = quoted(n.text)
	case n.quote == 0 && raw != "" && (strings.ContainsAny(raw, ",[]{}") || raw[0] == '?' || raw[0] == ':'):
		raw = quoted(n.text)
	}
	return n.tagged(raw)
}

func (n *node) tagged(raw string) string {
	if n.tag == "" {
		return raw
	}
	return strings.TrimRight(n.tag+" "+raw, " ")
}

// blockMember is a member of a block map: its lines, without the last line break.
func (w *writer) blockMember(m member, indent string, parent *node, drop bool) string {
	value, lines := w.block(m.value, indent, parent, drop)
	return joinBlock(indent+w.blockKey(m.key)+":", value, lines, w.style.newline)
}

func joinBlock(head, value string, lines []string, newline string) string {
	if value != "" {
		head += " " + value
	}
	return strings.Join(append([]string{head}, lines...), newline)
}

func (w *writer) blockKey(n *node) string {
	if n.lines || n.isBlock() {
		return n.tagged(quoted(n.text))
	}
	return n.tagged(w.raw(n))
}

// block is a value in a block collection whose lines have that indentation: what
// stands behind the key or dash, and the lines below.
func (w *writer) block(n *node, indent string, parent *node, drop bool) (value string, lines []string) {
	switch {
	case n.kind == scalar:
		return w.blockScalar(n, indent)
	case n.isEmpty() || n.kind == mapping && len(live(n, drop)) == 0:
		return w.inline(n, drop), nil
	case w.keepsFlow(n, parent):
		all := strings.Split(w.flowValue(n, indent, n.lines, drop), w.style.newline)
		return all[0], all[1:]
	case n.kind == mapping:
		return n.tag, w.blockMembers(n, indent+w.style.unit, drop)
	}
	return n.tag, w.blockItems(n, indent+w.style.sequence)
}

// keepsFlow tells whether a collection in brackets stays so: not where it is only
// part of a larger one that could not be otherwise.
func (w *writer) keepsFlow(n, parent *node) bool {
	return n.flow && (parent == nil || !parent.flow || !n.lines && parent.lines)
}

func (w *writer) blockMembers(n *node, indent string, drop bool) []string {
	var lines []string
	for _, m := range live(n, drop) {
		lines = append(lines, strings.Split(w.blockMember(m, indent, n, drop), w.style.newline)...)
	}
	return lines
}

func (w *writer) blockItems(n *node, indent string) []string {
	var lines []string
	for _, item := range n.items {
		lines = append(lines, w.blockItem(item, indent, n)...)
	}
	return lines
}

// blockItem is one item of a block list: a collection begins on the line of the dash.
func (w *writer) blockItem(item *node, indent string, parent *node) []string {
	const dash = "- "
	var inner []string
	switch {
	case !item.isCollection() || item.isEmpty() || item.tag != "" || w.keepsFlow(item, parent):
		value, lines := w.block(item, indent, parent, false)
		return append([]string{strings.TrimRight(indent+dash+value, " ")}, lines...)
	case item.kind == mapping:
		inner = w.blockMembers(item, indent+"  ", false)
	default:
		inner = w.blockItems(item, indent+"  ")
	}
	inner[0] = indent + dash + inner[0][len(indent)+len(dash):]
	return inner
}

// blockScalar is a scalar in a block collection. The lines that follow its first
// are indented anew.
func (w *writer) blockScalar(n *node, indent string) (value string, lines []string) {
	if !n.lines {
		return n.tagged(w.raw(n)), nil
	}
	if n.isBlock() {
		return w.blockText(n, indent)
	}
	raw := strings.Split(strings.ReplaceAll(w.raw(n), "\r\n", "\n"), "\n")
	for _, line := range raw[1:] {
		if line = strings.TrimLeft(line, " \t"); line != "" {
			line = indent + w.style.unit + line
		}
		lines = append(lines, line)
	}
	return n.tagged(raw[0]), lines
}

// blockText is a literal or folded scalar. Its chomping is what its value needs,
// as another line may follow now.
func (w *writer) blockText(n *node, indent string) (value string, lines []string) {
	content := strings.TrimRight(n.text, "\n")
	raw := strings.Split(strings.ReplaceAll(w.raw(n), "\r\n", "\n"), "\n")
	if content == "" || len(raw) < 2 {
		return n.tagged(quoted(n.text)), nil
	}
	header, digit := raw[0][:1], strings.Trim(strings.SplitN(raw[0], "#", 2)[0], "|>+- \t")
	deeper := indent + w.style.unit
	if digit != "" {
		deeper = indent + strings.Repeat(" ", int(digit[0]-'0'))
	}
	strip := contentIndent(raw[1:], n.text)
	end := len(raw)
	for end > 1 && strings.TrimSpace(raw[end-1]) == "" {
		end--
	}
	for _, line := range raw[1:end] {
		if len(line) <= strip {
			lines = append(lines, "")
			continue
		}
		lines = append(lines, deeper+line[strip:])
	}
	breaks := len(n.text) - len(content)
	for range breaks - 1 {
		lines = append(lines, "")
	}
	return n.tagged(header + digit + chomping(breaks)), lines
}

func chomping(breaks int) string {
	return [...]string{"-", "", "+"}[min(breaks, 2)]
}

// contentIndent is how many blanks the lines of a block scalar begin with that do
// not belong to its value.
func contentIndent(lines []string, value string) int {
	for _, line := range lines {
		if trimmed := strings.TrimLeft(line, " "); trimmed != "" {
			written := len(line) - len(trimmed)
			value = strings.TrimLeft(value, "\n")
			return max(0, written-(len(value)-len(bytes.TrimLeft([]byte(value), " "))))
		}
	}
	return 0
}
