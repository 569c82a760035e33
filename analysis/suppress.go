package analysis

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// UnusedSuppression is the rule of a comment that suppresses nothing.
const UnusedSuppression = "unused-suppression"

// A suppression is a comment `# kls:ignore RULE[,RULE] reason` on a line or above
// one, or `# kls:ignore-file RULE[,RULE] reason` anywhere in a file. Above the first
// line of a list's entry it is about the whole entry.
type suppression struct {
	rules []ruleName
	// comment is the whole of it, in bytes of the file; line is the first line that it
	// is about, counted from 0, or -1 for all, and last the last one.
	comment    text.Span
	line, last int
}

type ruleName struct {
	name string
	span text.Span
	used bool
}

// suppressionComment finds the comments. What follows "kls:ignore" up to a blank
// are the rules; the rest is for people.
var suppressionComment = text.Regexp(`(^|[\t ])#[\t ]*kls:(ignore(?:-file)?)(?:[\t ]+([^\t ]+).*|[\t ]*$)`)

// suppressionMark is in every comment: most files are done with after a search
// for it.
var suppressionMark = []byte("kls:ignore")

// readSuppressions finds the comments in a text.
func readSuppressions(content []byte) []*suppression {
	if !bytes.Contains(content, suppressionMark) {
		return nil
	}
	var found []*suppression
	lines := text.NewLines(content)
	var waiting []*suppression // those above the line that they are about
	for i := range lines.Count() {
		span := lines.LineSpan(i)
		line := content[span.Start:span.End]
		match := suppressionComment().FindSubmatchIndex(line)
		trimmed := bytes.TrimSpace(line)
		if match == nil {
			if len(trimmed) > 0 && trimmed[0] != '#' {
				waiting = aim(waiting, content, lines, i)
			}
			continue
		}
		s := newSuppression(line, match, span.Start)
		found = append(found, s)
		switch {
		case s.line < 0: // the file
		case trimmed[0] == '#':
			waiting = append(waiting, s)
		default:
			s.line, s.last = i, i
			waiting = aim(waiting, content, lines, i)
		}
	}
	aim(waiting, content, lines, lines.Count())
	return found
}

// aim gives the comments above a line that line, and the entry that begins there.
func aim(waiting []*suppression, content []byte, lines *text.Lines, line int) []*suppression {
	if len(waiting) == 0 {
		return nil
	}
	last := lastOfEntry(content, lines, line)
	for _, s := range waiting {
		s.line, s.last = line, last
	}
	return nil
}

// lastOfEntry returns the last line of the list's entry that begins at a line; the
// line itself where none does. It goes by the indentation, so that it works in
// broken text too.
func lastOfEntry(content []byte, lines *text.Lines, line int) (last int) {
	indent, isEntry := 0, false
	for last = line; line < lines.Count(); line++ {
		span := lines.LineSpan(line)
		trimmed := bytes.TrimLeft(content[span.Start:span.End], " ")
		dash := bytes.HasPrefix(trimmed, []byte("- "))
		column := span.Len() - len(trimmed)
		switch {
		case !isEntry && !dash:
			return last
		case !isEntry:
			indent, isEntry = column, true
		case len(bytes.TrimSpace(trimmed)) == 0:
		case column <= indent:
			return last
		default:
			last = line
		}
	}
	return last
}

func newSuppression(line []byte, match []int, offset int) *suppression {
	s := &suppression{comment: text.Span{Start: offset + match[3], End: offset + match[1]}}
	if string(line[match[4]:match[5]]) == "ignore-file" {
		s.line = -1
	}
	if match[6] < 0 {
		return s
	}
	at := match[6]
	for name := range strings.SplitSeq(string(line[match[6]:match[7]]), ",") {
		span := text.Span{Start: offset + at, End: offset + at + len(name)}
		if at += len(name) + 1; name != "" {
			s.rules = append(s.rules, ruleName{name: name, span: span})
		}
	}
	return s
}

// suppressor knows the comments of the files.
type suppressor struct {
	files  *vfs.Snapshot
	known  []string // the names of the rules
	byFile map[string]*suppressed
}

type suppressed struct {
	list  []*suppression
	lines *text.Lines
}

func newSuppressor(files *vfs.Snapshot, rules []*Rule) *suppressor {
	s := &suppressor{files: files, byFile: map[string]*suppressed{}}
	for _, r := range rules {
		s.known = append(s.known, r.Name)
	}
	return s
}

func (s *suppressor) in(path string) *suppressed {
	known, ok := s.byFile[path]
	if !ok {
		known = &suppressed{}
		if isDir, err := s.files.IsDir(path); err == nil && !isDir {
			if f, err := s.files.ReadFile(path); err == nil {
				if known.list = readSuppressions(f.Data); known.list != nil {
					known.lines = text.NewLines(f.Data)
				}
			}
		}
		s.byFile[path] = known
	}
	return known
}

// suppresses tells whether a comment names the diagnostic's rule.
func (s *suppressor) suppresses(d Diagnostic) bool {
	in := s.in(d.File)
	if in.list == nil {
		return false
	}
	line := in.lines.OffsetToPosition(d.Span.Start, text.UTF8).Line
	found := false
	for _, one := range in.list {
		if one.line >= 0 && (line < one.line || line > one.last) {
			continue
		}
		for i := range one.rules {
			if one.rules[i].name == d.Rule {
				one.rules[i].used, found = true, true
			}
		}
	}
	return found
}

// unused reports what the comments of a file name in vain. Where complete is
// false, the diagnostics that they are for may be those of a root that was not
// checked; names of no rule are reported all the same.
func (s *suppressor) unused(path string, severity Severity, complete bool) []Diagnostic {
	var found []Diagnostic
	report := func(span text.Span, message, help string, fixes ...Fix) {
		found = append(found, Diagnostic{Rule: UnusedSuppression, Severity: severity,
			Place: Place{path, span}, Message: message, Help: help, Fixes: fixes})
	}
	for _, one := range s.in(path).list {
		if len(one.rules) == 0 {
			report(one.comment, "this comment names no rule", "write # kls:ignore RULE reason")
		}
		for _, r := range one.rules {
			switch {
			case r.used:
			case !slices.Contains(s.known, r.name):
				s.unknown(path, r, report)
			case complete:
				report(r.span, r.name+" is not found here", "remove the comment")
			}
		}
	}
	return found
}

func (s *suppressor) unknown(path string, r ruleName, report func(text.Span, string, string, ...Fix)) {
	message := fmt.Sprintf("no rule is called %q", r.name)
	near, ok := text.Nearest(r.name, s.known)
	if !ok {
		report(r.span, message, "")
		return
	}
	report(r.span, message, "did you mean "+near+"?",
		Fix{Title: "Change to " + near, Edits: []FileEdit{{Place{path, r.span}, near}}})
}
