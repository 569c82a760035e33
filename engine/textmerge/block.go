package textmerge

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// applyRoot carries out the plan for a document that is a map.
func (m *merger) applyRoot(p *plan) {
	switch {
	case p.base.flow:
		m.edit(p.base.span.Start, p.base.span.End, m.flowText(p))
	case p.empties():
		m.edit(p.base.span.Start, p.base.span.End, "{}")
	default:
		m.block(p)
	}
}

// replaceRoot puts the overlay's document in the place of the base's.
func (m *merger) replaceRoot() {
	base, overlay := m.base.root, m.overlay.root
	w := m.writer(m.style)
	if base == nil {
		fresh := w.document(overlay, "")
		if len(m.base.text) > 0 && m.base.text[len(m.base.text)-1] != '\n' {
			fresh = m.style.newline + fresh
		}
		m.edit(len(m.base.text), len(m.base.text), fresh+m.style.newline)
		return
	}
	m.checkWritten(base)
	if (base.kind == mapping) != (overlay.kind == mapping) && !base.isNull() {
		m.mismatch(base, overlay)
	}
	indent := m.base.lineIndent(base.span.Start)
	if m.format == JSON || base.flow && base.kind == overlay.kind {
		m.edit(base.span.Start, base.span.End, w.flowValue(overlay, indent, w.explodes(overlay, base, nil), true))
		return
	}
	m.edit(base.span.Start, base.span.End, w.document(overlay, indent))
}

// document is a whole document in block style, or in flow style where it was.
func (w *writer) document(n *node, indent string) string {
	var lines []string
	switch {
	case n.isNull():
		return "null"
	case n.kind == mapping && !n.flow && len(live(n, true)) > 0:
		lines = w.blockMembers(n, indent, true)
	case n.kind == sequence && !n.flow && !n.isEmpty():
		lines = w.blockItems(n, indent)
	default:
		value, rest := w.block(n, indent, nil, true)
		return joinBlock("", value, rest, w.style.newline)[min(1, len(value)):]
	}
	return strings.Join(lines, w.style.newline)[len(indent):]
}

func (m *merger) edit(start, end int, fresh string) {
	m.edits = append(m.edits, text.Edit{Span: text.Span{Start: start, End: end}, New: fresh})
}

// empties tells whether nothing is left of the map.
func (p *plan) empties() bool {
	for _, added := range p.added {
		if len(added) > 0 {
			return false
		}
	}
	for _, a := range p.actions {
		if !a.remove {
			return false
		}
	}
	return true
}

// block carries out the plan for a map in block style, line by line.
func (m *merger) block(p *plan) {
	indent := m.base.lineIndent(p.base.members[0].start)
	last := len(p.actions)
	if m.endsOpen(p) {
		// One more line behind it would add a line break to its value.
		p.added[last-1] = append(p.added[last-1], p.added[last]...)
		p.added[last] = nil
	}
	for i, a := range p.actions {
		start := m.entryStart(p.base, i)
		m.insert(start, p.added[i], indent, p.overlay)
		switch {
		case a.remove:
			m.edit(start, m.entryEnd(p.base.members[i]), "")
		case a.replace != nil:
			m.replaceValue(p.base.members[i], a.replace, p.overlay)
		case a.merge != nil && a.merge.changed:
			m.mergeValue(p.base.members[i], a.merge)
		}
	}
	end := m.nextLine(p.base.members[last-1].end)
	if p.actions[last-1].remove {
		end = m.entryEnd(p.base.members[last-1])
	}
	m.insert(end, p.added[last], indent, p.overlay)
}

func (m *merger) insert(at int, added []member, indent string, parent *node) {
	w := m.writer(m.style)
	for _, fresh := range added {
		m.edit(at, at, w.blockMember(fresh, indent, parent, true)+m.style.newline)
	}
}

// nextLine returns where the line after that of the offset begins.
func (m *merger) nextLine(at int) int {
	if length := bytes.IndexByte(m.base.text[at:], '\n'); length >= 0 {
		return at + length + 1
	}
	return len(m.base.text)
}

// endsOpen tells whether something is to be added behind a block scalar whose last
// line has no line break because the document ends there.
func (m *merger) endsOpen(p *plan) bool {
	last := len(p.actions) - 1
	if !m.extended || len(p.added[last+1]) == 0 || p.actions[last].remove || p.actions[last].replace != nil {
		return false
	}
	n := p.base.members[last].value
	for {
		switch {
		case n.isBlock() && n.kind == scalar:
			header, _, _ := strings.Cut(string(m.base.text[n.body.Start:n.body.End]), "\n")
			return n.span.End == len(m.base.text)-len(m.style.newline) && !strings.Contains(header, "-") && !strings.HasSuffix(n.text, "\n")
		case len(n.members) > 0:
			n = n.members[len(n.members)-1].value
		case len(n.items) > 0:
			n = n.items[len(n.items)-1]
		default:
			return false
		}
	}
}

// entryStart is the beginning of the first line of a member, or of the comments
// directly above it.
func (m *merger) entryStart(n *node, i int) int {
	start, floor := m.base.lineStart(n.members[i].start), 0
	indent := len(m.base.lineIndent(start))
	if i > 0 {
		floor = m.nextLine(n.members[i-1].end)
	}
	for start > floor {
		above := m.base.lineStart(start - 1)
		line := string(m.base.text[above:start])
		trimmed := strings.TrimLeft(line, " \t")
		if above < floor || !strings.HasPrefix(trimmed, "#") || len(line)-len(trimmed) > indent || above == start {
			break
		}
		start = above
	}
	return start
}

// entryEnd is the end of the last line of a member, and of the comments below that
// are indented more than its key.
func (m *merger) entryEnd(entry member) int {
	end := m.nextLine(entry.end)
	indent := len(m.base.lineIndent(entry.start))
	for at := end; at < len(m.base.text); {
		next := m.nextLine(at)
		line := strings.TrimRight(string(m.base.text[at:next]), " \t\r\n")
		trimmed := strings.TrimLeft(line, " \t")
		if trimmed != "" && (trimmed[0] != '#' || len(line)-len(trimmed) <= indent) {
			break
		}
		if at = next; trimmed != "" {
			end = next
		}
	}
	return end
}

func (m *merger) mergeValue(entry member, p *plan) {
	switch {
	case p.base.flow:
		m.edit(p.base.span.Start, p.base.span.End, m.flowText(p))
	case p.empties():
		m.putValue(entry, "{}", nil)
	default:
		m.block(p)
	}
}

// replaceValue writes another value behind a key.
func (m *merger) replaceValue(entry member, ours, parent *node) {
	old, indent := entry.value, m.base.lineIndent(entry.start)
	w := m.writer(m.style)
	if old.flow && old.kind == ours.kind && !old.isEmpty() {
		w.style = m.styleOf(old)
		m.edit(old.span.Start, old.span.End, w.flowValue(ours, indent, old.lines, true))
		return
	}
	if old.kind == sequence && !old.flow && !m.base.sameLine(old.span.Start, entry.start) {
		w.style.sequence = strings.TrimPrefix(m.base.lineIndent(old.span.Start), indent)
		if ours.kind == sequence && !ours.isEmpty() {
			m.putValue(entry, ours.tag, w.blockItems(ours, indent+w.style.sequence))
			return
		}
	}
	value, lines := w.block(ours, indent, parent, true)
	m.putValue(entry, value, lines)
}

// putValue puts a value behind the colon of an entry, and its further lines below.
// The comment of the line stays.
func (m *merger) putValue(entry member, value string, lines []string) {
	content, old := m.base.text, entry.value
	colon := skipToToken(content, entry.key.span.End)
	if colon >= len(content) || content[colon] != ':' {
		m.unmergeable(Base, entry.key.span)
		return
	}
	colon++
	below := ""
	for _, line := range lines {
		below += m.style.newline + line
	}
	behind := value
	if value != "" {
		behind = " " + value
	}
	switch {
	case old.span.Len() == 0:
		m.edit(colon, colon, behind)
		m.edit(lineEnd(content, colon), lineEnd(content, colon), below)
	case m.base.sameLine(colon, old.span.Start):
		start := old.span.Start
		if value == "" || start == colon {
			start = colon
		} else {
			behind = value
		}
		m.edit(start, old.span.End, behind)
		m.edit(lineEnd(content, old.span.End), lineEnd(content, old.span.End), below)
	case value == "" || old.isCollection() && !old.flow:
		m.edit(colon, colon, behind)
		m.edit(lineEnd(content, colon), lineEnd(content, old.span.End), below)
	default:
		m.edit(old.span.Start, old.span.End, value)
		m.edit(lineEnd(content, old.span.End), lineEnd(content, old.span.End), below)
	}
}
