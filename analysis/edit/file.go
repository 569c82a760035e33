// Package edit changes kustomization files as text: it works out which bytes to
// replace, and leaves comments, order and formatting of all others alone. It adds
// and removes buildMetadata options, adds entries to lists, moves patches into files
// and back, writes a patch in its other form, and converts deprecated fields; a
// conversion is kept only where every build that can be found renders the same bytes
// with it. Format alone changes the layout of a whole file. It writes no file.
package edit

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// File is one version of a kustomization file, taken apart for editing. It never
// changes: an edit is returned as data.
type File struct {
	path    string
	text    []byte
	table   *syntax.Table
	root    *yaml.Node // nil for a file without content
	end     int        // offset after the first document, the only one that kustomize reads
	lines   *text.Lines
	newline string
	fields  []*field
}

// Open takes a kustomization file apart. A reason says why it cannot be edited:
// its YAML is broken, its root is no mapping, or it is something else by that name.
func Open(path string, content []byte) (f *File, reason string) {
	f = &File{path: path, text: content, table: syntax.NewTable(), lines: text.NewLines(content), newline: "\n"}
	if at := bytes.IndexByte(content, '\n'); at > 0 && content[at-1] == '\r' {
		f.newline = "\r\n"
	}
	parsed := syntax.Parse(f.table, f.table.Add(path, content))
	if len(parsed.Problems) > 0 {
		return nil, "its YAML is broken"
	}
	f.end = len(content)
	if len(parsed.Documents) > 0 {
		f.root, f.end = parsed.Documents[0].Root, parsed.Documents[0].Span.End
	}
	if isNull(f.root) {
		f.root = nil
	}
	if f.root != nil && f.root.Kind != yaml.MappingNode {
		return nil, "it is not a mapping of fields"
	}
	if _, version := syntax.Field(f.root, "apiVersion"); version != nil && strings.HasPrefix(version.Value, fluxGroup) {
		return nil, "it is an object for Flux, not a kustomization file of kustomize"
	}
	f.findFields()
	return f, ""
}

// fluxGroup begins the apiVersion of Flux's objects of kind Kustomization, which may
// lie in files of the same name.
const fluxGroup = "kustomize.toolkit.fluxcd.io/"

// Text returns the bytes of the file, which the caller must not change.
func (f *File) Text() []byte { return f.text }

// read reads the fields, as kustomize does.
func (f *File) read() (*kustomization.Kustomization, []kustomization.Problem) {
	return kustomization.Read(f.root)
}

// field is an entry of the file's root. Lines are 0-based.
type field struct {
	name       string // as kustomize spells it
	key, value *yaml.Node
	line       int  // of the key
	last       int  // of the end of the value
	twice      bool // another entry has the same name
}

func (f *File) findFields() {
	if f.root == nil {
		return
	}
	named := map[string]*field{}
	for i := 0; i+1 < len(f.root.Content); i += 2 {
		x := &field{key: f.root.Content[i], value: f.root.Content[i+1]}
		x.name = x.key.Value
		if known, _ := kustomization.Fields().Field(x.name); known != nil {
			x.name = known.Name
		}
		x.line = f.lineAt(f.span(x.key).Start)
		x.last = f.lastLine(x.value)
		if other := named[x.name]; other != nil {
			other.twice, x.twice = true, true
		}
		named[x.name] = x
		f.fields = append(f.fields, x)
	}
}

// field returns the last entry of that name, nil where there is none.
func (f *File) field(name string) *field {
	for i := len(f.fields) - 1; i >= 0; i-- {
		if f.fields[i].name == name {
			return f.fields[i]
		}
	}
	return nil
}

// span returns the bytes of a node with anchor and tag.
func (f *File) span(n *yaml.Node) text.Span {
	_, span := syntax.NodeSpan(f.table, n)
	return span
}

// source returns the text of a node.
func (f *File) source(n *yaml.Node) string {
	span := f.span(n)
	return string(f.text[span.Start:span.End])
}

func (f *File) lineAt(offset int) int {
	line, _ := f.lines.OffsetToLineColumn(offset)
	return line - 1
}

// lastLine returns the line in which a node ends.
func (f *File) lastLine(n *yaml.Node) int {
	span := f.span(n)
	last := f.lineAt(max(span.Start, span.End-1))
	if n.Kind == yaml.SequenceNode && len(n.Content) > 0 && !isFlow(n) {
		// An entry without a value has no text of its own: its dash has.
		end := n.Content[len(n.Content)-1]
		last = max(last, f.lastLine(end))
		if isNull(end) {
			last = max(last, f.lineAt(f.dashBefore(end)))
		}
	}
	return last
}

// dashBefore returns the offset of the dash of a list's entry.
func (f *File) dashBefore(n *yaml.Node) int {
	start := min(f.span(n).Start, len(f.text))
	return max(0, bytes.LastIndexByte(f.text[:start], '-'))
}

// lineText returns a line without its break.
func (f *File) lineText(line int) string {
	span := f.lines.LineSpan(line)
	return string(f.text[span.Start:span.End])
}

func (f *File) lineStart(line int) int {
	if line >= f.lines.Count() {
		return len(f.text)
	}
	return f.lines.LineSpan(line).Start
}

// column returns the bytes between the beginning of a node's line and the node.
func (f *File) column(n *yaml.Node) int {
	start := f.span(n).Start
	return start - f.lineStart(f.lineAt(start))
}

// insertLines makes the edit that puts whole lines behind a line.
func (f *File) insertLines(after int, lines []string) text.Edit {
	// Before the line's break, and not behind it: the last line may have none.
	at := f.lines.LineSpan(after).End
	return text.Edit{Span: text.Span{Start: at, End: at}, New: f.newline + strings.Join(lines, f.newline)}
}

// replaceLines makes the edit that replaces whole lines, both ends included.
func (f *File) replaceLines(first, last int, lines []string) text.Edit {
	return text.Edit{
		Span: text.Span{Start: f.lineStart(first), End: f.lines.LineSpan(last).End},
		New:  strings.Join(lines, f.newline),
	}
}

// removeLines makes the edit that takes whole lines away, both ends included, and
// one of the blank lines around them where there would be two.
func (f *File) removeLines(first, last int) text.Edit {
	start, end := f.lineStart(first), f.lineStart(last+1)
	switch {
	case last+1 >= f.lines.Count() && first > 0: // nor does what is then the last line have a break
		start = f.lines.LineSpan(first - 1).End
	case last+1 < f.lines.Count() && f.isBlank(last+1) && (first == 0 || f.isBlank(first-1)):
		end = f.lineStart(last + 2)
	}
	return text.Edit{Span: text.Span{Start: start, End: end}}
}

// removeWhere takes away those of some lines, both ends included, that are doomed.
func (f *File) removeWhere(first, last int, doomed func(line int) bool) []text.Edit {
	var edits []text.Edit
	start := first
	for line := first; line <= last+1; line++ {
		if line <= last && doomed(line) {
			continue
		}
		if line > start {
			edits = append(edits, f.removeLines(start, line-1))
		}
		start = line + 1
	}
	return edits
}

func (f *File) isBlank(line int) bool { return strings.TrimSpace(f.lineText(line)) == "" }

func (f *File) isComment(line int) bool {
	return strings.HasPrefix(strings.TrimLeft(f.lineText(line), " \t"), "#")
}

// dashIndent returns how far the file indents the dashes of a list below its key.
func (f *File) dashIndent() int {
	for _, x := range f.fields {
		if x.value.Kind == yaml.SequenceNode && !isFlow(x.value) {
			return max(0, f.column(x.value)-f.column(x.key))
		}
	}
	return 0
}

func isFlow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

func isNull(n *yaml.Node) bool { return n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// apply returns the file with the edits made. A reason says what they break, which
// is then our mistake or an oddity of the file that is better left alone.
func (f *File) apply(edits []text.Edit) (after *File, reason string) {
	changed, err := text.Apply(f.text, edits)
	if err != nil {
		return nil, "kls does not know how to rewrite it"
	}
	after, reason = Open(f.path, changed)
	if reason != "" {
		return nil, "kls does not know how to rewrite it"
	}
	return after, ""
}
