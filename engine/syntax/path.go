package syntax

import (
	"slices"
	"strconv"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Step is one level on the way from the root to an offset: an entry of a
// mapping, or an item of a sequence.
type Step struct {
	Parent *yaml.Node // the mapping or sequence
	Key    *yaml.Node // of the entry; nil in a sequence
	Value  *yaml.Node // of the entry, or the item
	Index  int        // 0-based, of the entry or item
}

// Location is where in a tree an offset is.
type Location struct {
	// Steps lead from the root to Node, which is the value of the last step,
	// or its key; without steps Node is the root.
	Steps []Step
	// Node is the innermost node at the offset. Where no node is, as on an
	// empty line, it is the collection that something typed there would
	// belong to, or the empty value that it would become. It is nil only in a
	// document without content.
	Node *yaml.Node
	// OnKey says that Node is a key.
	OnKey bool
	// Blank says that no text of Node is at the offset.
	Blank bool
}

// Path finds the byte offset of the document's text in its tree. On a line
// without a node, blank or taken out by a repair, the indentation decides, as
// it would for what is typed there; within a list whose dashes stand below
// their key, what begins with a dash belongs to the list, all else to the
// mapping of the key.
func (d *Document) Path(table *Table, offset int) Location {
	source := table.Source(d.file)
	if source == nil || d.Root == nil {
		return Location{}
	}
	f := newFinder(table, source, offset)
	f.descend(d.Root)
	return f.location
}

// DocumentAt returns the document whose text the byte offset is in; nil in a
// file without one.
func (f *File) DocumentAt(offset int) *Document {
	for i, d := range f.Documents {
		if offset < d.Span.End || i == len(f.Documents)-1 {
			return d
		}
	}
	return nil
}

// Lookup returns the node at a path of keys, and of 0-based indexes into
// sequences; nil where there is none. Aliases are followed.
func Lookup(n *yaml.Node, path ...string) *yaml.Node {
	for _, name := range path {
		if n != nil && n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		switch {
		case n == nil:
			return nil
		case n.Kind == yaml.SequenceNode:
			index, err := strconv.Atoi(name)
			if err != nil || index < 0 || index >= len(n.Content) {
				return nil
			}
			n = n.Content[index]
		default:
			_, n = Field(n, name)
		}
	}
	return n
}

type finder struct {
	table    *Table
	source   *Source
	offset   int
	line     text.Span // of the offset, without its indentation
	column   int       // 0-based in bytes, that what stands or is typed in the line begins at
	dash     bool      // the line begins with a dash
	location Location
}

func newFinder(table *Table, source *Source, offset int) *finder {
	f := &finder{table: table, source: source, offset: max(0, min(offset, len(source.content)))}
	lines := source.Lines()
	line, _ := lines.OffsetToLineColumn(f.offset)
	f.line = lines.LineSpan(line - 1)
	start := f.line.Start
	for f.line.Start < f.line.End && source.content[f.line.Start] == ' ' {
		f.line.Start++
	}
	f.column = min(f.line.Start, max(f.offset, start)) - start
	if f.line.Start == f.line.End {
		f.column = max(f.offset, start) - start
	}
	rest := source.content[f.line.Start:f.line.End]
	f.dash = len(rest) > 0 && rest[0] == '-' && (len(rest) == 1 || isBlank(rest[1]))
	return f
}

func (f *finder) start(n *yaml.Node) int {
	_, _, start := locate(f.table, n)
	return start
}

// columnOf returns the column, in bytes, of what follows a node's anchor.
func (f *finder) columnOf(n *yaml.Node) int {
	start := valueStart(f.source.content, f.start(n))
	lines := f.source.Lines()
	line, _ := lines.OffsetToLineColumn(start)
	return start - lines.LineSpan(line-1).Start
}

func (f *finder) descend(n *yaml.Node) {
	f.location.Node = n
	switch {
	case n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode:
		_, span := NodeSpan(f.table, n)
		f.location.Blank = !span.Contains(f.offset) || span.Len() == 0
	case isFlowStart(f.source.content, valueStart(f.source.content, f.start(n))):
		f.flow(n)
	default:
		f.block(n)
	}
}

// last returns the index in the content of the last child that begins at or
// before the offset, -1 if there is none. Children stand in the order of the
// text. An empty value stands where its key ends.
func (f *finder) last(n *yaml.Node) int {
	i, found := slices.BinarySearchFunc(n.Content, f.offset, func(child *yaml.Node, offset int) int { return f.start(child) - offset })
	if !found {
		return i - 1
	}
	for i+1 < len(n.Content) && f.start(n.Content[i+1]) == f.offset {
		i++
	}
	return i
}

func (f *finder) enter(parent *yaml.Node, child int) Step {
	step := Step{Parent: parent, Value: parent.Content[child], Index: child}
	if parent.Kind == yaml.MappingNode {
		step = Step{Parent: parent, Key: parent.Content[child&^1], Value: parent.Content[child|1], Index: child / 2}
	}
	f.location.Steps = append(f.location.Steps, step)
	return step
}

// onKey tells whether the offset is in the key of an entry.
func (f *finder) onKey(n *yaml.Node, child int) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	_, span := NodeSpan(f.table, n.Content[child&^1])
	return span.Contains(f.offset)
}

func (f *finder) enterKey(n *yaml.Node, child int) {
	step := f.enter(n, child)
	f.location.Node, f.location.OnKey = step.Key, true
}

// flow looks for a child that the offset is in, or an empty value in front of
// it: "{a: " and then the offset.
func (f *finder) flow(n *yaml.Node) {
	_, span := NodeSpan(f.table, n)
	child := f.last(n)
	f.location.Blank = true
	switch {
	case child < 0 || f.offset >= span.End && f.isClosed(span):
		f.location.Blank = !span.Contains(f.offset)
		if child < 0 {
			f.location.Blank = f.offset > f.start(n)
		}
	case f.onKey(n, child):
		f.location.Blank = false
		f.enterKey(n, child)
	default:
		if n.Kind == yaml.MappingNode && child%2 == 0 {
			child++
		}
		_, value := NodeSpan(f.table, n.Content[child])
		if value.Contains(f.offset) && value.Len() > 0 || value.Len() == 0 && f.onlyBlanks(value.End) {
			f.descend(f.enter(n, child).Value)
		}
	}
}

func (f *finder) isClosed(span text.Span) bool {
	closing := f.source.content[max(span.Start, span.End-1)]
	return span.Len() > 1 && (closing == ']' || closing == '}')
}

// onlyBlanks tells whether nothing but blanks and a colon, which some empty
// values stand before, lie between an offset and the one that is looked for.
func (f *finder) onlyBlanks(from int) bool {
	for i := from; i < f.offset; i++ {
		if c := f.source.content[i]; !isBlank(c) && c != ':' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

// block finds the entry that the offset belongs to. Behind the end of an
// entry's text it is the indentation that decides whether what is typed there
// goes into the entry or beside it.
func (f *finder) block(n *yaml.Node) {
	child := f.last(n)
	if child < 0 {
		f.location.Blank = true
		return
	}
	if f.onKey(n, child) {
		f.enterKey(n, child)
		return
	}
	_, value := NodeSpan(f.table, n.Content[child|f.keyBit(n)])
	within := value.Contains(f.offset) && value.Len() > 0
	if !within && !f.sameLine(n, child) && !f.goesInto(n, child) {
		f.location.Blank = true
		return
	}
	f.descend(f.enter(n, child|f.keyBit(n)).Value)
}

// keyBit turns the index of a key into that of its value.
func (f *finder) keyBit(n *yaml.Node) int {
	if n.Kind == yaml.MappingNode {
		return 1
	}
	return 0
}

// sameLine tells whether the offset is in the line that the entry begins in,
// behind its key or dash.
func (f *finder) sameLine(n *yaml.Node, child int) bool {
	entry := f.start(n.Content[child&^f.keyBit(n)])
	return entry >= f.line.Start && entry <= f.offset
}

// goesInto tells whether what begins in the column of the line belongs to the
// value of the entry.
func (f *finder) goesInto(n *yaml.Node, child int) bool {
	column := f.columnOf(n)
	if f.column > column {
		return true
	}
	value := n.Content[child|f.keyBit(n)]
	belowKey := n.Kind == yaml.MappingNode && (value.Kind == yaml.SequenceNode || value.Tag == nullTag)
	return f.column == column && f.dash && belowKey
}
