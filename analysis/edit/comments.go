package edit

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// comments returns the text of every comment, from its # to the end of its line:
// what is left of the file once the scalars are taken out.
func (f *File) comments() []string { return f.commentsIn(0, f.lines.Count()-1) }

// Comments returns the comments of a YAML text.
func Comments(content []byte) []string {
	f := &File{text: content, table: syntax.NewTable(), lines: text.NewLines(content), newline: "\n"}
	if parsed := syntax.Parse(f.table, f.table.Add("", content)); len(parsed.Documents) > 0 {
		f.root = parsed.Documents[0].Root
	}
	return f.comments()
}

// commentsIn returns the comments of some lines, both ends included.
func (f *File) commentsIn(first, last int) []string {
	masked := f.withoutScalars()
	var found []string
	for line := first; line <= last; line++ {
		span := f.lines.LineSpan(line)
		if at := commentStart(masked[span.Start:span.End]); at >= 0 {
			found = append(found, strings.TrimRight(string(f.text[span.Start+at:span.End]), " \t"))
		}
	}
	return found
}

// withoutScalars returns the text with blanks in place of scalars.
func (f *File) withoutScalars() []byte {
	masked := slices.Clone(f.text)
	var mask func(n *yaml.Node)
	mask = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			outer := f.span(n)
			_, inner := syntax.InnerSpan(f.table, n)
			start := outer.Start
			if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
				start = inner.Start // a comment may follow the header
			}
			for i := start; i < max(outer.End, inner.End) && i < len(masked); i++ {
				if masked[i] != '\n' && masked[i] != '\r' {
					masked[i] = 'x'
				}
			}
		}
		for _, child := range n.Content {
			mask(child)
		}
	}
	if f.root != nil {
		mask(f.root)
	}
	return masked
}

// commentStart returns the offset of the # that begins a comment, -1 for none.
func commentStart(line []byte) int {
	for i, c := range line {
		if c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return i
		}
	}
	return -1
}

// sameComments tells whether two versions have the same comments, in any order.
func sameComments(a, b *File) bool {
	x, y := a.comments(), b.comments()
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// headComments returns the first of the comment lines that stand directly above a
// field, which is the field's own line where there are none. What begins the file
// speaks of the whole file.
func (f *File) headComments(x *field) int {
	above := -1
	for _, other := range f.fields {
		if other.line < x.line {
			above = max(above, other.last)
		}
	}
	first := x.line
	for first-1 > above && f.isComment(first-1) {
		first--
	}
	if first == 0 {
		return x.line
	}
	return first
}
