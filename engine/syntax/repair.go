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
	maxParsedBytes = 32 << 20
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
func repair(content []byte, problem *SyntaxError) repaired {
	r := &repairer{content: content}
	if problem.Kind == InvalidCharacters {
		span := invalidCharacter(content, 0)
		r.report(InvalidCharacters, span, describeCharacter(content, span))
		content = sanitize(content)
	}
	r.split(content)
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
func (r *repairer) parse(count int, closed bool) (*yaml.Node, bool) {
	var b bytes.Buffer
	for i, line := range r.lines[:count] {
		b.WriteString(line)
		b.WriteString(r.breaks[i])
	}
	if closed {
		b.WriteString(r.open[count].closers())
	}
	r.parsed += b.Len() + 1
	document, problem := decode(b.Bytes())
	return document, problem == nil
}

// firstBadLine returns the index of the first line with which the text cannot
// be read any more, -1 if all that is wrong is that something is open.
func (r *repairer) firstBadLine() int {
	low, high := r.good, len(r.lines)
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

// closeAtEnd closes what is open when the text ends: where the line after the
// one that opens it starts a new entry there, else at the end.
func (r *repairer) closeAtEnd() {
	o := r.open[len(r.lines)]
	if o == nil {
		r.cut(r.good)
		return
	}
	first := o.outermost()
	r.reportOpening(first)
	if r.newEntryFollows(first.line) && r.closeLine(first.line, first) {
		return
	}
	last := len(r.lines) - 1
	r.breaks[last] = "\n" + o.closers()
	r.open[len(r.lines)] = nil
}

// newEntryFollows tells whether the next line with content looks like an entry
// of a block collection that the line belongs to or stands in.
func (r *repairer) newEntryFollows(line int) bool {
	for _, next := range r.lines[line+1:] {
		trimmed := strings.TrimLeft(next, " ")
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		return indentation(next) <= entryColumn(r.lines[line]) && looksLikeEntry(trimmed)
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
	if o.character == '"' || o.character == '\'' {
		end := r.starts[o.line] + r.lineLength(o.line)
		r.report(Malformed, text.Span{Start: start, End: end}, "the string has no closing "+string(o.character))
		return
	}
	closing := (&opening{character: o.character}).closers()
	span := text.Span{Start: start, End: min(start+1, len(r.content))}
	r.report(Malformed, span, fmt.Sprintf("the %c has no closing %s", o.character, closing))
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

// closeLine closes, at the end of a line, what was opened in it up to and
// including the outermost given, and keeps the change if the text can then be
// read up to there.
func (r *repairer) closeLine(line int, outermost *opening) bool {
	open := r.open[line+1]
	var closers strings.Builder
	for o := open; o != nil; o = o.outer {
		closers.WriteString((&opening{character: o.character}).closers())
		if o == outermost {
			break
		}
	}
	return r.try(line, withoutComment(r.lines[line], open)+closers.String(), line+1)
}

// withoutComment takes off a comment, behind which nothing could be closed.
func withoutComment(line string, open *opening) string {
	if open != nil && (open.character == '"' || open.character == '\'') {
		return line
	}
	if at := strings.LastIndex(line, " #"); at >= 0 {
		return line[:at]
	}
	return line
}

// try changes a line and keeps that if so many lines can then be read.
func (r *repairer) try(line int, changed string, count int) bool {
	before := r.lines[line]
	if changed == before {
		return false
	}
	r.set(line, changed)
	if _, ok := r.parse(count, true); ok {
		r.good = max(r.good, count)
		return true
	}
	r.set(line, before)
	return false
}

func (r *repairer) set(line int, changed string) {
	r.lines[line] = changed
	r.open = openings(r.lines)
	r.parsed += len(r.content)
}

// fixLine tries, from the smallest change to the largest, what may be wrong
// with the line or with one that left something open.
func (r *repairer) fixLine(bad int) bool {
	line := r.lines[bad]
	if blanks := len(line) - len(strings.TrimLeft(line, " \t")); strings.Contains(line[:blanks], "\t") {
		if r.try(bad, strings.Repeat(" ", blanks)+line[blanks:], bad+1) {
			r.reportLine(bad, "a tab cannot indent, only spaces can")
			return true
		}
	}
	if o := r.open[bad]; o != nil && r.closeBefore(bad, o) {
		return true
	}
	if o := r.open[bad+1]; o != nil && o.outermost().line == bad && r.closeLine(bad, o.outermost()) {
		r.reportOpening(o.outermost())
		return true
	}
	detail := r.describe(bad)
	changes := []string{withoutValue(line), ""}
	if i := slices.IndexFunc(changes, func(changed string) bool { return r.try(bad, changed, bad+1) }); i < 0 {
		return false
	}
	r.reportLine(bad, detail)
	return true
}

// closeBefore closes what is open at the beginning of a line: at the end of
// the line that opens it, or else right before.
func (r *repairer) closeBefore(bad int, o *opening) bool {
	first := o.outermost()
	for _, line := range []int{first.line, bad - 1} {
		before := r.lines[line]
		r.set(line, withoutComment(before, r.open[line+1])+r.open[line+1].closers())
		if _, ok := r.parse(bad+1, true); ok {
			r.good = bad + 1
			r.reportOpening(first)
			return true
		}
		r.set(line, before)
	}
	return false
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
	content := strings.Join(r.lines[:line+1], "\n") + "\n" + r.open[line+1].closers()
	if _, problem := decode([]byte(content)); problem != nil {
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
	r.open = openings(r.lines)
	if o := r.open[len(r.lines)]; o != nil {
		r.breaks[len(r.lines)-1] = "\n" + o.closers()
	}
}
