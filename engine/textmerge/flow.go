package textmerge

import (
	"bytes"
	"strings"
)

// flowText returns the text of a map in brackets with the plan carried out.
func (m *merger) flowText(p *plan) string {
	f := &flowWriter{m: m, d: m.base, p: p, n: p.base, style: m.styleOf(p.base), beginsLine: -1}
	f.cut()
	return f.write()
}

// styleOf is the document's style with what the map itself shows.
func (m *merger) styleOf(n *node) style {
	own, s := &observed{}, m.style
	own.look(m.base, n, nil)
	s.unit = first(s.unit, own.unit)
	s.colon = first(s.colon, own.colon)
	if own.colon != nil {
		s.comma = first(commaFor(s.colon), own.comma)
	}
	s.comma = first(s.comma, own.comma)
	s.pad = first(s.pad, own.pad)
	return s
}

// flowWriter writes a map anew from the pieces of its text:
//
//	open (lead member post , tail)… closing
//
// A lead is what stands before a member since the end of the line of the one
// before, or, on the same line, since its comma.
type flowWriter struct {
	m     *merger
	d     *document
	p     *plan
	n     *node
	style style

	open, closing string
	pieces        []flowPiece
	beginsLine    int // a member that begins a line, -1 where none does

	out strings.Builder
	// written and left are how many members are and how many are not written yet.
	written, left int
	trailing      bool // a comma stands behind the last member
	comment       bool // what was written last ends with a comment
}

type flowPiece struct {
	lead, post, tail string
	comma            bool
}

// cut takes the text apart.
func (f *flowWriter) cut() {
	at := f.n.span.Start
	inner := f.n.body.Start + 1
	next := f.n.body.End - 1
	if len(f.n.members) > 0 {
		next = f.n.members[0].start
	}
	cut := inner + f.sameLine(inner, next)
	f.open = f.slice(at, cut)
	at = cut
	for i, member := range f.n.members {
		piece := flowPiece{lead: f.slice(at, member.start)}
		at, next = member.end, f.n.body.End-1
		if i+1 < len(f.n.members) {
			next = f.n.members[i+1].start
		}
		if comma := skipToToken(f.d.text, at); comma < next && f.d.text[comma] == ',' {
			piece.comma, piece.post = true, f.slice(at, comma)
			at = comma + 1
		}
		cut := at + f.sameLine(at, next)
		piece.tail = f.slice(at, cut)
		at = cut
		if f.beginsLine < 0 && strings.Contains(piece.lead, "\n") {
			f.beginsLine = i
		}
		f.pieces = append(f.pieces, piece)
	}
	f.closing = f.slice(at, f.n.span.End)
}

func (f *flowWriter) slice(start, end int) string { return string(f.d.text[start:end]) }

// sameLine is how many bytes up to the next thing belong to the line at hand: none
// where the next is on the same line.
func (f *flowWriter) sameLine(at, next int) int {
	between := f.d.text[at:next]
	length := bytes.IndexByte(between, '\n')
	if length > 0 && between[length-1] == '\r' {
		length--
	}
	return max(0, length)
}

func (f *flowWriter) write() string {
	f.emit(f.open)
	f.left = f.count()
	f.trailing = len(f.pieces) > 0 && f.pieces[len(f.pieces)-1].comma
	carry := "" // the lead of removed members, for the next on the same line
	for i, piece := range f.pieces {
		detached, attached := splitLead(piece.lead)
		fresh := len(f.p.added[i]) > 0
		if fresh {
			f.emit(detached)
			f.writeAdded(i)
			carry = ""
		}
		switch inline := !strings.Contains(piece.lead, "\n"); {
		case f.p.actions[i].remove && !fresh:
			if !inline {
				f.emit(detached)
			}
			if carry == "" {
				carry = lastLine(attached)
			}
			continue
		case f.p.actions[i].remove:
			continue
		case fresh:
			f.emit(f.leadAfterNew(attached, inline, i))
		case inline && carry != "" || inline && f.written == 0 && i > 0:
			f.emit(carry)
		default:
			f.emit(piece.lead)
		}
		carry = ""
		f.writeKept(i)
	}
	f.writeAdded(len(f.pieces))
	f.close()
	return f.out.String()
}

// emit writes a piece and remembers whether it ends with a comment.
func (f *flowWriter) emit(piece string) {
	if piece == "" {
		return
	}
	f.comment = strings.Contains(piece[strings.LastIndex(piece, "\n")+1:], "#")
	f.out.WriteString(piece)
}

// lastLine is the end of a lead: its last line break and the indentation.
func lastLine(lead string) string {
	at := strings.LastIndex(lead, "\n")
	if at > 0 && lead[at-1] == '\r' {
		at--
	}
	return lead[max(0, at):]
}

// count is how many members there will be.
func (f *flowWriter) count() int {
	count := 0
	for i, a := range f.p.actions {
		count += len(f.p.added[i])
		if !a.remove {
			count++
		}
	}
	return count + len(f.p.added[len(f.p.actions)])
}

// splitLead splits what stands before a member into lines that belong to nobody
// and the comments directly above it with its indentation.
func splitLead(lead string) (detached, attached string) {
	start := strings.LastIndex(lead, "\n")
	for start > 0 {
		above := strings.LastIndex(lead[:start], "\n")
		if above < 0 || !strings.HasPrefix(strings.TrimLeft(lead[above+1:start], " \t"), "#") {
			break
		}
		start = above
	}
	start = max(0, start)
	if start > 0 && lead[start-1] == '\r' {
		start--
	}
	return lead[:start], lead[start:]
}

// leadAfterNew is the lead of a member that stands behind a new one.
func (f *flowWriter) leadAfterNew(attached string, inline bool, i int) string {
	switch {
	case !inline:
		return attached
	case f.n.lines:
		return f.newLine(i)
	case i == 0:
		return strings.TrimPrefix(f.style.comma, ",")
	}
	return attached
}

// newLine is a line break and the indentation of the member that follows, or of
// the one before, or of any that begins a line.
func (f *flowWriter) newLine(i int) string {
	for _, at := range []int{i, i - 1, f.beginsLine} {
		if at < 0 || at >= len(f.pieces) {
			continue
		}
		if lead := f.pieces[at].lead; strings.Contains(lead, "\n") {
			return f.style.newline + lead[strings.LastIndex(lead, "\n")+1:]
		}
	}
	return f.style.newline + f.d.lineIndent(f.n.body.Start) + f.style.unit
}

// writeAdded writes the new members before the one at the index.
func (f *flowWriter) writeAdded(i int) {
	for _, added := range f.p.added[i] {
		w := f.m.writer(f.style)
		switch {
		case f.n.lines:
			line := f.newLine(i)
			f.emit(line)
			f.emit(w.flowMember(added, strings.TrimLeft(line, "\r\n"), f.p.overlay))
		case f.written == 0:
			f.emit(f.openingPad() + w.inlineMember(added))
		default:
			f.emit(strings.TrimPrefix(f.style.comma, ",") + w.inlineMember(added))
		}
		f.comma("")
		f.comment = false
	}
}

// comma goes behind a member that is not the last, or where there was one behind
// the last.
func (f *flowWriter) comma(post string) {
	f.left--
	f.written++
	if f.left > 0 || f.trailing {
		f.emit(post + ",")
	} else if strings.TrimSpace(post) != "" {
		f.emit(post)
	}
}

func (f *flowWriter) openingPad() string {
	if len(f.pieces) > 0 {
		return f.pieces[0].lead
	}
	if inner := f.slice(f.n.body.Start+1, f.n.body.End-1); inner != "" {
		return inner
	}
	return f.style.pad
}

func (f *flowWriter) writeKept(i int) {
	f.emit(f.body(i, f.n.members[i]))
	f.comma(f.pieces[i].post)
	f.comment = false
	f.emit(f.pieces[i].tail)
}

// body is a member of the base, with its value merged or replaced.
func (f *flowWriter) body(i int, member member) string {
	a, value := f.p.actions[i], member.value
	switch {
	case a.merge != nil && a.merge.changed:
		return f.slice(member.start, value.span.Start) + f.m.flowText(a.merge) + f.slice(value.span.End, member.end)
	case a.replace == nil:
		return f.slice(member.start, member.end)
	}
	between := ""
	if !bytes.Contains(f.d.text[member.key.span.End:max(member.key.span.End, value.span.Start)], []byte(":")) {
		between = ": "
	}
	w := f.m.writer(f.style)
	fresh := ""
	if f.n.lines {
		fresh = w.flowValue(a.replace, f.d.lineIndent(member.start), w.explodes(a.replace, value, f.p.overlay), true)
	} else {
		fresh = w.inline(a.replace, true)
	}
	return f.slice(member.start, value.span.Start) + between + fresh + f.slice(value.span.End, member.end)
}

// close writes the end of the map, without the blanks of an empty one on one line.
func (f *flowWriter) close() {
	switch {
	case f.comment && !strings.Contains(f.closing, "\n"):
		f.emit(f.style.newline + f.d.lineIndent(f.n.body.Start) + strings.TrimLeft(f.closing, " \t"))
	case !f.n.lines && f.written == 0:
		f.emit(strings.TrimLeft(f.closing, " \t"))
	case !f.n.lines && len(f.pieces) == 0:
		f.emit(f.openingPad() + strings.TrimLeft(f.closing, " \t"))
	default:
		f.emit(f.closing)
	}
}
