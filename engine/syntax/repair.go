package syntax

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Bounds of a repair: after the first limit whole blocks are left out instead
// of lines, after the second all that follows.
const (
	maxLineRepairs = 10
	maxRepairs     = 30
	// maxParsedBytes bounds the work of looking for mistakes; it allows some
	// hundred attempts at a text of usual size.
	maxParsedBytes = 8 << 20
	// maxTextRepairs bounds the same for all documents of a text together.
	maxTextRepairs = 2 * maxParsedBytes
)

// repaired is what is left of a broken document.
type repaired struct {
	document *yaml.Node
	problems []Problem // spans in bytes of the content that was given
}

// repair takes out of a document what keeps yaml.v3 from reading it. Lines
// keep their numbers and what is left in a line its column, so that the places
// of the nodes are right: a line is shortened or gets closing characters at
// its end, no more.
//
// yaml.v3 says little about where a mistake is. So the first line is sought up
// to which the text, with all that is open closed, cannot be read: there the
// mistake shows.
//
// parsed is how many bytes were given to the parser for repairs of the same text. Of a
// text in which that was too much nothing is repaired any more.
func repair(content []byte, problem *SyntaxError, parsed *int) repaired {
	if len(content) > maxParsedBytes || *parsed > maxTextRepairs {
		return unrepaired(content, problem)
	}
	r := &repairer{content: content}
	defer func() { *parsed += r.parsed }()
	if problem.Kind == InvalidCharacters {
		span := invalidCharacter(content, 0)
		r.report(InvalidCharacters, span, describeCharacter(content, span))
		content = sanitize(content)
	}
	r.split(content)
	if bytes.Contains(content, []byte("<<<<<<< ")) {
		r.resolveConflicts()
	}
	for count := 0; ; count++ {
		var ok bool
		if r.document, ok = r.parse(len(r.lines), false); ok {
			return r.repaired
		}
		bad := r.firstBadLine()
		switch {
		case bad < 0:
			r.closeAtEnd()
		case count < maxLineRepairs && r.fixLine(bad):
		case count < maxRepairs:
			r.dropBlock(bad)
		default:
			r.cut(bad)
		}
		if count > maxRepairs || r.parsed > maxParsedBytes {
			r.document, _ = r.parse(r.good, true)
			return r.repaired
		}
	}
}

// unrepaired says that a document is broken, at the line where yaml.v3 says so.
func unrepaired(content []byte, problem *SyntaxError) repaired {
	span := text.Span{}
	if problem.Kind == InvalidCharacters {
		span = invalidCharacter(content, 0)
	} else {
		for range problem.line - 1 {
			if next := nextLine(content, span.Start); next < len(content) {
				span.Start = next
			}
		}
		span.End = min(lineEnd(content, span.Start), span.Start+80)
	}
	return repaired{problems: []Problem{{Kind: problem.Kind, Span: span, Detail: problem.Message, Refused: true}}}
}

type repairer struct {
	repaired
	content []byte
	lines   []string // as changed so far, without line breaks
	breaks  []string // the line break of each line, as it is in the content
	starts  []int    // offset of each line in the content
	open    []*opening
	good    int // so many lines can be read, once what is open is closed
	parsed  int // bytes given to the parser so far
}

func (r *repairer) report(kind ProblemKind, span text.Span, detail string) {
	r.problems = append(r.problems, Problem{Kind: kind, Span: span, Detail: detail, Refused: true})
}

// split makes lines as yaml.v3 counts them.
func (r *repairer) split(content []byte) {
	start, original := 0, 0
	add := func(end, length int) {
		r.lines = append(r.lines, string(content[start:end]))
		r.breaks = append(r.breaks, "\n")
		r.starts = append(r.starts, original)
		start = end + length
		original = nextLine(r.content, original)
	}
	for i := 0; i < len(content); {
		length := text.BreakLength(content, i)
		if length == 0 {
			i++
			continue
		}
		add(i, length)
		i += length
	}
	add(len(content), 0)
	r.open = openings(r.lines)
}

// nextLine returns the offset of the next line as yaml.v3 counts them.
func nextLine(content []byte, at int) int {
	for ; at < len(content); at++ {
		if length := text.BreakLength(content, at); length > 0 {
			return at + length
		}
	}
	return at
}

// parse reads the first lines, where wanted with what they leave open closed.
// Something behind the end of the document is a mistake here, for it may be
// the consequence of a repair.
func (r *repairer) parse(count int, closed bool) (*yaml.Node, bool) {
	document, problem := r.read(count, closed)
	return document, problem == nil
}

func (r *repairer) read(count int, closed bool) (*yaml.Node, *SyntaxError) {
	var b bytes.Buffer
	for i, line := range r.lines[:count] {
		b.WriteString(line)
		if closed && i == count-1 {
			b.WriteString(r.open[count].closing())
		}
		b.WriteString(r.breaks[i])
	}
	r.parsed += b.Len() + 1
	document, problem, rest := decodeFirst(b.Bytes())
	if problem == nil && rest {
		problem = &SyntaxError{Kind: Malformed, Message: "something follows the end of the document"}
	}
	return document, problem
}

// firstBadLine returns the index of the first line with which the text cannot
// be read any more, -1 if all that is wrong is that something is open.
func (r *repairer) firstBadLine() int {
	low, high := min(r.good, len(r.lines)-1), len(r.lines)
	if _, ok := r.parse(high, true); ok {
		return -1
	}
	for low+1 < high && r.parsed <= maxParsedBytes {
		middle := (low + high) / 2
		if _, ok := r.parse(middle, true); ok {
			low = middle
		} else {
			high = middle
		}
	}
	r.good = low
	return low
}

// closeAtEnd closes what is open when the text ends: in the line that opens it
// where all that follows can then be read, or starts a new entry; else at the
// end. A line that opens a string in the middle of a list may have to go.
func (r *repairer) closeAtEnd() {
	o := r.open[len(r.lines)]
	if o == nil {
		r.cut(r.good)
		return
	}
	first := o.outermost()
	for _, c := range []change{
		{line: o.line, text: r.closed(o.line, o), report: func() { r.reportOpening(o) }},
		{line: first.line, text: r.closed(first.line, nil), report: func() { r.reportOpening(first) }},
		{line: o.line, text: withoutValue(r.lines[o.line]), report: func() { r.reportOpening(o) }},
		{line: o.line, text: "", report: func() { r.reportOpening(o) }},
	} {
		if r.try(c, len(r.lines), false) {
			c.report()
			return
		}
	}
	r.reportOpening(first)
	for _, line := range []int{first.line, o.line} {
		inLine := change{line: line, text: r.closed(line, nil)}
		if r.newEntryFollows(line, entryColumn(r.lines[first.line])) && r.try(inLine, line+1, true) {
			return
		}
	}
	r.set(len(r.lines)-1, r.lines[len(r.lines)-1]+o.closing())
}

// newEntryFollows tells whether the next line with content looks like an entry
// of a block collection whose entries begin at the column or left of it.
func (r *repairer) newEntryFollows(line, column int) bool {
	for _, next := range r.lines[line+1:] {
		trimmed := strings.TrimLeft(next, " ")
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		return indentation(next) <= column && looksLikeEntry(trimmed)
	}
	return false
}

func looksLikeEntry(line string) bool {
	key, after, found := strings.Cut(line, ":")
	isKey := found && (after == "" || isBlank(after[0])) && !strings.ContainsAny(key, `"'{}[],`)
	return isKey || line == "-" || strings.HasPrefix(line, "- ")
}

func (r *repairer) reportOpening(o *opening) {
	start := r.starts[o.line] + min(o.column, r.lineLength(o.line))
	if o.isQuote() {
		end := r.starts[o.line] + r.lineLength(o.line)
		r.report(Malformed, text.Span{Start: start, End: end}, "the string has no closing "+string(o.character))
		return
	}
	span := text.Span{Start: start, End: min(start+1, len(r.content))}
	r.report(Malformed, span, fmt.Sprintf("the %c has no closing %c", o.character, closingOf[o.character]))
}

// lineLength returns the bytes of a line of the content, without its break and
// trailing blanks.
func (r *repairer) lineLength(line int) int {
	end := r.starts[line]
	for end < len(r.content) && text.BreakLength(r.content, end) == 0 {
		end++
	}
	return len(bytes.TrimRight(r.content[r.starts[line]:end], " \t"))
}

// closed is a line with what is open at its end closed, up to the opening.
func (r *repairer) closed(line int, outermost *opening) string {
	open := r.open[line+1]
	var closers strings.Builder
	for o := open; o != nil; o = o.outer {
		closers.WriteByte(closingOf[o.character])
		if o == outermost {
			break
		}
	}
	return withoutComment(r.lines[line], open) + closers.String()
}

// withoutComment takes off a comment, behind which nothing could be closed.
func withoutComment(line string, open *opening) string {
	if open != nil && open.isQuote() {
		return line
	}
	if at := strings.LastIndex(line, " #"); at >= 0 {
		return line[:at]
	}
	return line
}

// change is one way to mend a line, and how to say what was wrong.
type change struct {
	line   int
	text   string
	report func()
}

// try makes a change and keeps it if so many lines can then be read, or could
// if what they leave open were closed.
func (r *repairer) try(c change, count int, closed bool) bool {
	before := r.lines[c.line]
	if c.text == before {
		return false
	}
	r.set(c.line, c.text)
	if _, ok := r.parse(count, closed); ok {
		r.good = count
		return true
	}
	r.set(c.line, before)
	return false
}

func (r *repairer) set(line int, changed string) {
	r.lines[line] = changed
	r.open = openings(r.lines)
	r.parsed += len(r.content)
}

// fixLine tries what may be wrong with the line or with one that left
// something open, the likeliest first. A change after which some more lines
// can be read is better than one that only gets past the line.
func (r *repairer) fixLine(bad int) bool {
	const ahead = 12
	changes := r.changes(bad)
	for _, count := range []int{min(len(r.lines), bad+1+ahead), bad + 1} {
		for _, c := range changes {
			if r.parsed <= maxParsedBytes && !r.opensMore(c, bad) && r.try(c, count, true) {
				c.report()
				return true
			}
		}
	}
	return false
}

// opensMore tells whether a change would leave something open at the beginning
// of a line that was closed there: then all that follows would be swallowed,
// and seem to be readable.
func (r *repairer) opensMore(c change, line int) bool {
	lines := slices.Clone(r.lines[:line])
	if c.line < line {
		lines[c.line] = c.text
	}
	return openings(lines)[line].depth() > r.open[line].depth()
}

func (r *repairer) changes(bad int) []change {
	line, detail := r.lines[bad], r.describe(bad)
	var changes []change
	add := func(line int, text string, report func()) { changes = append(changes, change{line, text, report}) }
	if blanks := len(line) - len(strings.TrimLeft(line, " \t")); strings.Contains(line[:blanks], "\t") {
		add(bad, strings.Repeat(" ", blanks)+line[blanks:], func() { r.reportLine(bad, "a tab cannot indent, only spaces can") })
	}
	before := r.open[bad]
	if before != nil {
		first := before.outermost()
		add(before.line, r.closed(before.line, before), func() { r.reportOpening(before) })
		add(first.line, r.closed(first.line, nil), func() { r.reportOpening(first) })
		add(bad-1, r.closed(bad-1, nil), func() { r.reportOpening(first) })
	}
	if o := r.open[bad+1]; o != nil && o.outermost().line == bad {
		add(bad, r.closed(bad, nil), func() { r.reportOpening(o.outermost()) })
	}
	drop := func(line int, report func()) {
		add(line, withoutValue(r.lines[line]), report)
		add(line, "", report)
	}
	drop(bad, func() { r.reportLine(bad, detail) })
	if before != nil {
		drop(before.line, func() { r.reportOpening(before) })
	}
	if previous := r.contentBefore(bad); previous >= 0 {
		drop(previous, func() { r.reportLine(previous, "what follows does not fit this line") })
	}
	return changes
}

// contentBefore returns the index of the line with content before a line, -1
// where there is none.
func (r *repairer) contentBefore(line int) int {
	for line--; line >= 0; line-- {
		if trimmed := strings.TrimSpace(r.lines[line]); trimmed != "" && trimmed[0] != '#' {
			return line
		}
	}
	return -1
}

// withoutValue keeps the key of a line that has one, or its dash.
func withoutValue(line string) string {
	if key, _, found := strings.Cut(line, ": "); found {
		return key + ":"
	}
	if trimmed := strings.TrimLeft(line, " "); strings.HasPrefix(trimmed, "- ") {
		return line[:indentation(line)+1]
	}
	return ""
}

func (r *repairer) reportLine(line int, detail string) {
	indent := len(r.content[r.starts[line]:]) - len(bytes.TrimLeft(r.content[r.starts[line]:], " \t"))
	length := r.lineLength(line)
	start := r.starts[line] + min(indent, length)
	r.report(Malformed, text.Span{Start: start, End: r.starts[line] + length}, detail)
}

// describe says in our words what yaml.v3 has against the text up to a line.
func (r *repairer) describe(line int) string {
	if _, problem := r.read(line+1, true); problem != nil {
		return problem.Message
	}
	return "the line does not fit in here"
}

// dropBlock leaves out a line and those below that are indented deeper.
func (r *repairer) dropBlock(bad int) {
	r.reportLine(bad, r.describe(bad))
	indent := indentation(r.lines[bad])
	end := bad + 1
	for end < len(r.lines) && (r.lines[end] == "" || indentation(r.lines[end]) > indent) {
		end++
	}
	for i := bad; i < end; i++ {
		r.lines[i] = ""
	}
	r.open = openings(r.lines)
}

// cut leaves out all from a line on.
func (r *repairer) cut(bad int) {
	r.reportLine(min(bad, len(r.lines)-1), r.describe(min(bad, len(r.lines)-1)))
	for i := bad; i < len(r.lines); i++ {
		r.lines[i] = ""
	}
	r.set(len(r.lines)-1, r.lines[len(r.lines)-1]+openings(r.lines)[len(r.lines)].closing())
}
