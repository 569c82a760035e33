package edit

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// shape is the way in which the value of a field is written.
type shape int

const (
	shapeOther   shape = iota // an alias, a scalar, a mapping
	shapeEmpty                // nothing, null or []
	shapeBlock                // a list with dashes
	shapeBracket              // a list in brackets
)

func shapeOf(n *yaml.Node) shape {
	switch {
	case isNull(n) && n.Anchor == "":
		return shapeEmpty
	case n.Kind != yaml.SequenceNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0:
		return shapeOther
	case len(n.Content) == 0:
		return shapeEmpty
	case isFlow(n):
		return shapeBracket
	}
	return shapeBlock
}

// inBlock tells whether fields stand one below the other, as opposed to all
// between braces.
func (f *File) inBlock() bool { return f.root == nil || !isFlow(f.root) }

// isOwnLine tells whether a field's key begins its line.
func (f *File) isOwnLine(x *field) bool {
	return strings.TrimLeft(f.lineText(x.line)[:f.column(x.key)], " ") == ""
}

// bodyIndent returns the indentation of a block list's dashes.
func (f *File) bodyIndent(x *field) int { return f.column(x.value) }

// blank returns so many blanks.
func blank(n int) string { return strings.Repeat(" ", max(0, n)) }

// shift moves lines to the right, or to the left for a negative number. A line that
// has less to lose loses what it has.
func shift(lines []string, by int) []string {
	shifted := make([]string, len(lines))
	for i, line := range lines {
		switch {
		case line == "" || by == 0:
			shifted[i] = line
		case by > 0:
			shifted[i] = blank(by) + line
		default:
			shifted[i] = line[min(-by, len(line)-len(strings.TrimLeft(line, " "))):]
		}
	}
	return shifted
}

// body returns the lines of a block list, with all comments and blank lines that
// stand in it, its dashes at column 0; or the entries of a list in brackets as such
// lines. False stands for a list that cannot be had as lines.
func (f *File) body(x *field) (lines []string, ok bool) {
	switch shapeOf(x.value) {
	case shapeBlock:
		for line := x.line + 1; line <= x.last; line++ {
			lines = append(lines, f.lineText(line))
		}
		return shift(lines, -f.bodyIndent(x)), true
	case shapeBracket:
		for _, n := range x.value.Content {
			source := f.source(n)
			if strings.ContainsAny(source, "\r\n") || source == "" {
				return nil, false
			}
			lines = append(lines, "- "+source)
		}
		return lines, true
	}
	return nil, shapeOf(x.value) == shapeEmpty
}

// extend makes the edits that put entries, given as lines with dashes at column 0,
// into a list: in front of the entries that it has, or behind them.
func (f *File) extend(x *field, lines []string, front bool) (edits []text.Edit, ok bool) {
	if len(lines) == 0 {
		return nil, true
	}
	switch shapeOf(x.value) {
	case shapeBlock:
		lines = shift(lines, f.bodyIndent(x))
		if front {
			return []text.Edit{f.insertLines(x.line, lines)}, true
		}
		return []text.Edit{f.insertLines(x.last, lines)}, true
	case shapeEmpty:
		if x.line != x.last {
			return nil, false
		}
		edits = append(edits, f.insertLines(x.line, shift(lines, f.column(x.key)+f.dashIndent())))
		if span := f.span(x.value); span.Len() > 0 {
			span.Start = f.valueGap(x)
			edits = append(edits, text.Edit{Span: span})
		}
		return edits, true
	case shapeBracket:
		if edits, ok := f.extendBrackets(x.value, lines, front); ok {
			return edits, true
		}
		return f.unfold(x, lines, front)
	}
	return nil, false
}

// unfold writes a list in brackets as lines, for the sake of entries that cannot
// stand in brackets.
func (f *File) unfold(x *field, lines []string, front bool) ([]text.Edit, bool) {
	own, ok := f.body(x)
	if !ok || x.line != x.last || !f.inBlock() || strings.TrimLeft(f.lineText(x.line)[:f.column(x.key)], " -") != "" {
		return nil, false
	}
	all := slices.Concat(own, lines)
	if front {
		all = slices.Concat(lines, own)
	}
	return []text.Edit{
		{Span: text.Span{Start: f.valueGap(x), End: f.span(x.value).End}},
		f.insertLines(x.line, shift(all, f.column(x.key)+f.dashIndent())),
	}, true
}

// valueGap returns the offset after the colon of a key.
func (f *File) valueGap(x *field) int {
	end := f.span(x.key).End
	for end < len(f.text) && f.text[end] != ':' {
		end++
	}
	return min(end+1, len(f.text))
}

// extendBrackets takes entries of one line without comments.
func (f *File) extendBrackets(list *yaml.Node, lines []string, front bool) ([]text.Edit, bool) {
	var entries []string
	for _, line := range lines {
		entry, ok := strings.CutPrefix(line, "- ")
		if !ok || commentStart([]byte(entry)) >= 0 || !isFlowText(entry) {
			return nil, false
		}
		entries = append(entries, strings.TrimSpace(entry))
	}
	separator := f.separator(list)
	if front {
		at := f.span(list.Content[0]).Start
		return []text.Edit{{Span: text.Span{Start: at, End: at}, New: strings.Join(entries, separator) + separator}}, true
	}
	at := f.span(list.Content[len(list.Content)-1]).End
	return []text.Edit{{Span: text.Span{Start: at, End: at}, New: separator + strings.Join(entries, separator)}}, true
}

// separator returns what stands between the entries of a list in brackets, or of a
// mapping in braces.
func (f *File) separator(list *yaml.Node) string {
	step := 1
	if list.Kind == yaml.MappingNode {
		step = 2
	}
	if n := len(list.Content); n >= 2*step {
		between := string(f.text[f.span(list.Content[n-step-1]).End:f.span(list.Content[n-step]).Start])
		if strings.TrimSpace(between) == "," {
			return between
		}
	}
	if len(list.Content) > 0 {
		first := list.Content[0]
		if f.lineAt(f.span(list).Start) != f.lineAt(f.span(first).Start) {
			return "," + f.newline + blank(f.column(first))
		}
	}
	return ", "
}

// isFlowText tells whether a text is the same one node between brackets.
func isFlowText(entry string) bool {
	alone, bracketed := parseOne(entry), parseOne("["+entry+"]")
	return alone != nil && bracketed != nil && bracketed.Kind == yaml.SequenceNode && len(bracketed.Content) == 1 &&
		equal.Trees(alone, bracketed.Content[0])
}

// parseOne returns the node that a text is, nil where it is not just one.
func parseOne(source string) *yaml.Node {
	table := syntax.NewTable()
	parsed := syntax.Parse(table, table.Add("", []byte(source)))
	if len(parsed.Problems) > 0 || len(parsed.Documents) != 1 {
		return nil
	}
	return parsed.Documents[0].Root
}

// removeField makes the edit that takes a field away from its key's line, or from
// its comments, to the end of its value.
func (f *File) removeField(x *field, withComments bool) text.Edit {
	first := x.line
	if withComments {
		first = f.headComments(x)
	}
	return f.removeLines(first, x.last)
}

// rename makes the edit that gives a key another name, in the same quotes.
func (f *File) rename(key *yaml.Node, name string) text.Edit {
	_, span := syntax.ValueSpan(f.table, key)
	return text.Edit{Span: span, New: quotedAs(key, name)}
}

// quotedAs writes a word that needs no quotes in those of a node.
func quotedAs(n *yaml.Node, word string) string {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return `"` + word + `"`
	case n.Style&yaml.SingleQuotedStyle != 0:
		return "'" + word + "'"
	}
	return word
}

// key makes a key, in quotes where those of the mapping are.
func (f *File) newKey(m *yaml.Node, name string) string {
	if m != nil && len(m.Content) > 0 {
		return quotedAs(m.Content[len(m.Content)-2], name)
	}
	return name
}
