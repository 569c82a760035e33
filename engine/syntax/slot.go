package syntax

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Slot is a place in a text where something is being typed, and where in the tree
// it stands, or would once it is there. All offsets are in bytes.
type Slot struct {
	// Word is the scalar at the offset, with its quotes; empty where there is none.
	Word text.Span
	// Typed is the value of the part of the word before the offset.
	Typed string
	// Quote is the quote that the word begins with, zero for none; Closed tells
	// whether it ends with it, too.
	Quote  byte
	Closed bool
	// Colon is true where a colon follows the word: it is a key that is there.
	Colon bool
	// Flow is true within brackets; Open where a bracket is open before the word, be it
	// by mistake.
	Flow, Open bool
	// Column is that of the word in its line, 0-based.
	Column int
	// Lead is true where nothing but indentation and dashes stands before the word
	// in its line.
	Lead bool
	// Tight is true where a blank has to come before a value that is put here: behind
	// a colon or dash that nothing follows.
	Tight bool
	// Dashed is true where the word would be an item if a dash stood before it.
	Dashed bool

	// Root is the tree of the document with a stand-in for the word, to which Steps
	// lead. The stand-in is the key of the last step where OnKey is set, and else its
	// value. The places of the nodes are in no table.
	Root  *yaml.Node
	Steps []Step
	OnKey bool
	// Repaired says that Root is not all that the text says.
	Repaired bool
}

// StandIn takes the place of the word in a tree.
const StandIn = "kls-stands-here"

// FindSlot finds the slot at a byte offset. There is none in comments, in block
// scalars, in quotes over several lines, and where the text is broken beyond repair.
func FindSlot(content []byte, offset int) (Slot, bool) {
	s, ok := findWord(content, offset)
	if !ok {
		return s, false
	}
	before, after := content[:s.Word.Start], content[s.Word.End:]
	line := after[:lineEnd(after, 0)]
	for _, rest := range [][]byte{after, line} {
		for _, spelling := range s.spellings() {
			if s.read(before, spelling, rest) {
				return s, true
			}
		}
	}
	return s, false
}

// spellings are the ways in which a stand-in can be written, the likeliest first.
func (s *Slot) spellings() []string {
	switch {
	case s.Flow && s.Lead && !s.Colon:
		return []string{StandIn + ",", StandIn, StandIn + ":"}
	case s.Flow && !s.Colon:
		return []string{StandIn, StandIn + ","}
	case !s.Lead || s.Colon:
		return []string{StandIn, StandIn + ":"}
	}
	return []string{StandIn + ":", "- " + StandIn + ":", StandIn}
}

func (s *Slot) read(before []byte, spelling string, after []byte) bool {
	table := NewTable()
	content := bytes.Clone(before)
	if s.Tight {
		content = append(content, ' ')
	}
	content = append(append(content, spelling...), after...)
	for _, d := range Parse(table, table.Add("", content)).Documents {
		if steps, onKey, ok := stepsTo(d.Root, nil); ok {
			s.Root, s.Steps, s.OnKey, s.Dashed = d.Root, steps, onKey, spelling[0] == '-'
			s.Repaired = d.Repaired
			s.Flow = len(steps) > 0 && steps[len(steps)-1].Parent.Style&yaml.FlowStyle != 0
			s.Lead = s.Lead && !s.Flow
			return true
		}
	}
	return false
}

// stepsTo leads to the stand-in.
func stepsTo(n *yaml.Node, way []Step) (steps []Step, onKey, ok bool) {
	if n == nil || len(way) > maxDepth {
		return nil, false, false
	}
	each := 1
	if n.Kind == yaml.MappingNode {
		each = 2
	}
	for i := each - 1; i < len(n.Content); i += each {
		step := Step{Parent: n, Value: n.Content[i], Index: i / each}
		if each == 2 {
			step.Key = n.Content[i-1]
		}
		next := append(way[:len(way):len(way)], step)
		switch {
		case step.Key != nil && step.Key.Value == StandIn:
			return next, true, true
		case step.Value.Kind == yaml.ScalarNode && step.Value.Value == StandIn:
			return next, false, true
		}
		if steps, onKey, ok := stepsTo(step.Value, next); ok {
			return steps, onKey, true
		}
	}
	return nil, false, false
}

// maxDepth bounds how deep the stand-in is looked for.
const maxDepth = 200

// findWord finds the scalar at an offset without a look at the tree.
func findWord(content []byte, offset int) (Slot, bool) {
	offset = max(0, min(offset, len(content)))
	start := bytes.LastIndexByte(content[:offset], '\n') + 1
	line := string(bytes.TrimSuffix(content[start:lineEnd(content, start)], []byte{'\r'}))
	column := min(offset-start, len(line))
	scanner, _ := scanLines(content[:start])
	if scanner.inQuote() || scanner.inBlock(line, column) {
		return Slot{}, false
	}
	w := wordScanner{openScanner: scanner, line: line, column: column}
	if !w.scan() {
		return Slot{}, false
	}
	end := w.end()
	s := Slot{
		Word:  text.Span{Start: start + w.begin, End: start + end},
		Quote: w.quote, Closed: w.closed, Flow: w.flow, Open: w.flow, Column: w.begin,
		Colon: isColon(line, end), Lead: isLead(line[:w.begin] + " "),
	}
	if before := line[:w.begin]; s.Word.Len() == 0 && before != "" && strings.IndexByte(":-", before[len(before)-1]) >= 0 {
		s.Tight = true
	}
	s.Typed = unquote(line[w.begin:column], w.quote)
	return s, true
}

// scanLines runs over whole lines; header is the index of the line in which the
// block scalar began that the scanner is in.
func scanLines(content []byte) (s openScanner, header int) {
	s = openScanner{blockParent: -1}
	lines := strings.Split(string(content), "\n")
	for i, line := range lines[:len(lines)-1] {
		before := s.blockParent
		s.line(i, strings.TrimSuffix(line, "\r"))
		if before < 0 || s.blockParent >= 0 && indentation(line) <= before && strings.TrimSpace(line) != "" {
			header = i
		}
	}
	return s, header
}

// inBlock tells whether what stands or is typed in a line belongs to the block
// scalar that the scanner is in.
func (s *openScanner) inBlock(line string, column int) bool {
	if s.blockParent < 0 {
		return false
	}
	indent := indentation(line)
	if strings.TrimSpace(line) == "" {
		indent = column
	}
	return indent > s.blockParent
}

// isLead tells whether a text is nothing but indentation and dashes.
func isLead(before string) bool {
	return strings.Trim(strings.ReplaceAll(before, "- ", ""), " ") == ""
}

func isColon(line string, at int) bool {
	rest := strings.TrimLeft(line[at:], " ")
	return strings.HasPrefix(rest, ":") && (len(rest) == 1 || rest[1] == ' ' || line[at] == ':')
}

// wordScanner goes through one line up to a column.
type wordScanner struct {
	openScanner
	line   string
	column int

	begin        int // of the word
	quote        byte
	closed, flow bool
}

// scan finds where the word begins; false in a comment and in other places where no
// word can be.
func (w *wordScanner) scan() bool {
	tokenStart, i := true, 0
	for i < w.column {
		c := w.line[i]
		fresh := tokenStart && !isBlank(c)
		switch {
		case w.inQuote():
			i = w.quoted(w.line[:w.column], i)
			tokenStart = false
			continue
		case c == '#' && (i == 0 || isBlank(w.line[i-1])):
			return false
		case isBlank(c):
			i++
			continue
		case tokenStart && (c == '"' || c == '\''):
			w.begin, w.quote, tokenStart = i, c, false
			w.push(0, i, c)
			i++
			continue
		case (tokenStart || w.open != nil) && (c == '[' || c == '{'):
			w.push(0, i, c)
			tokenStart = true
			i++
			continue
		case w.open != nil && (c == ']' || c == '}'):
			w.open = w.open.outer
			tokenStart = false
			i++
			continue
		}
		if fresh {
			w.begin, w.quote = i, 0
		}
		i, tokenStart = w.plain(w.line, i, tokenStart)
	}
	w.flow = w.open != nil && !w.inQuote() || w.inQuote() && w.open.outer != nil
	switch {
	case tokenStart:
		w.begin, w.quote = w.column, 0
		if rest := w.line[w.column:]; rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			w.quote = rest[0]
		}
		return true
	case w.quote != 0 && !w.inQuote():
		return w.closesAt(w.column)
	}
	return w.begin < w.column && strings.IndexByte("[{|>&*!%@`", w.line[w.begin]) < 0 || w.quote != 0
}

// closesAt tells whether the quote of the word closes right before the column.
func (w *wordScanner) closesAt(column int) bool {
	w.closed = true
	return w.line[column-1] == w.quote && column-1 > w.begin
}

// end returns where the word ends.
func (w *wordScanner) end() int {
	if w.closed {
		return w.column
	}
	if w.quote != 0 {
		at := w.column
		if at == w.begin {
			at++
		}
		inner := openScanner{open: &opening{character: w.quote}}
		if end := inner.quoted(w.line, at); inner.open == nil {
			w.closed = true
			return end
		}
		return w.column
	}
	if w.begin == w.column && w.column < len(w.line) && strings.IndexByte("[{|>&*!%@`#", w.line[w.column]) >= 0 {
		return w.column
	}
	end := w.column
	for end < len(w.line) {
		c := w.line[end]
		if c == ':' && (end+1 == len(w.line) || isBlank(w.line[end+1])) || w.flow && strings.IndexByte(",]}{[:", c) >= 0 ||
			c == '#' && end > 0 && isBlank(w.line[end-1]) {
			break
		}
		end++
	}
	return max(w.column, len(strings.TrimRight(w.line[:end], " \t")))
}

func unquote(word string, quote byte) string {
	if quote == 0 || word == "" {
		return word
	}
	word = word[1:]
	closed := strings.HasSuffix(word, string(quote)) && !strings.HasSuffix(word, `\"`)
	if !closed {
		word += string(quote)
	}
	var value string
	if yaml.Unmarshal([]byte(string(quote)+word), &value) != nil {
		return strings.TrimSuffix(word, string(quote))
	}
	return value
}
