// Package fieldpath is the language of field paths: the paths that the
// replacements of a kustomization use to name what is read and what is
// written. It splits a path into segments with their places, walks a node
// along them, goes on inside documents that are embedded in strings, and
// writes values, all as kustomize v5.8.2 does, to the byte. What it finds,
// fails to find and writes is told as data.
//
// It knows nothing of resources, selectors or files: which nodes are walked,
// and what a mistake means to the build, is for the caller to say.
package fieldpath

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
)

// Kind tells how a segment is read.
type Kind uint8

const (
	// Key names the value of a mapping's key.
	Key Kind = iota
	// Index is a number: the element of a list, 0-based. A negative number is
	// refused in sources and is a key in targets.
	Index
	// Last is "-": the last element of a list in sources, a key in targets.
	Last
	// Wildcard is "*": every element of a list in targets, refused in sources.
	Wildcard
	// Element is "[name=value]", or "[=value]" with an empty Name: the elements
	// of a list that have that value. Sources take the first whose text is
	// equal, targets all that the value, a regular expression, matches.
	Element
	// Malformed is a segment in brackets without "=", which no walk accepts.
	Malformed
	// Blank is a segment without text (or, in sources, of spaces only). Sources
	// skip it; targets take it as the value of a scalar that is empty.
	Blank
)

// Segment is one step of a path.
type Segment struct {
	Kind Kind
	// Text is the segment as the walk sees it: escapes resolved, and the
	// brackets of a "[dotted.key]" taken off.
	Text string
	// Index is the number of an Index segment.
	Index int
	// Name and Value are the two sides of an Element segment.
	Name, Value string
	// Span is where the segment was written: byte offsets in the path's
	// string, without the dots around it.
	Span text.Span

	pattern pattern
}

// Path is a field path, split once and then usable from any goroutine.
type Path struct {
	// Segments are the steps as targets walk them.
	Segments []Segment

	written string
	// trimmed are the steps as sources walk them: kyaml's PathGetter trims
	// spaces off each and skips the blank ones. One for each of Segments.
	trimmed []Segment
}

// Parse splits a path as kustomize does (SmarterPathSplitter of kyaml/utils).
// Every string is a path: what makes no sense shows when it is walked.
func Parse(path string) Path {
	p := Path{written: path, Segments: joinBrackets(splitDots(path))}
	p.trimmed = p.Segments
	for i, segment := range p.Segments {
		p.Segments[i] = newSegment(segment.Text, segment.Span)
	}
	for i, segment := range p.Segments {
		short := strings.TrimSpace(segment.Text)
		if short == segment.Text {
			continue
		}
		if &p.trimmed[0] == &p.Segments[0] {
			p.trimmed = append([]Segment(nil), p.Segments...)
		}
		p.trimmed[i] = newSegment(short, segment.Span)
	}
	return p
}

// String returns the path as it was written.
func (p Path) String() string { return p.written }

// Escape returns the key as it is written in a path. Some keys cannot be
// written at all, see CanEscape.
func Escape(key string) string {
	return strings.ReplaceAll(key, ".", `\.`)
}

// CanEscape tells whether a path can name the key in sources and in targets
// alike: it cannot where the key reads as a number, "-", "*" or a bracket, or
// where it is empty or begins or ends with a space.
func CanEscape(key string) bool {
	p := Parse(Escape(key))
	return len(p.Segments) == 1 && p.Segments[0].Kind == Key && p.Segments[0].Text == key &&
		strings.TrimSpace(key) == key && !strings.HasPrefix(key, "[")
}

// joined returns the path with the segments from first to last, both
// included, as one key.
func (p Path) joined(first, last int) string {
	texts := make([]string, 0, last-first+1)
	for _, segment := range p.Segments[first : last+1] {
		texts = append(texts, segment.Text)
	}
	return p.replaced(first, last, Escape(strings.Join(texts, ".")))
}

// replaced returns the path with another text for the segments from first to
// last, both included.
func (p Path) replaced(first, last int, written string) string {
	return p.written[:p.Segments[first].Span.Start] + written + p.written[p.Segments[last].Span.End:]
}

// splitDots splits at each dot that no backslash precedes and leaves one dot
// at the front out, as PathSplitter of kyaml/utils does. One backslash in front
// of a dot goes; there is no way to escape a backslash.
func splitDots(path string) []Segment {
	var pieces []Segment
	start := 0
	for i, piece := range strings.Split(path, ".") {
		end := start + len(piece)
		last := len(pieces) - 1
		switch {
		case i > 0 && last >= 0 && strings.HasSuffix(pieces[last].Text, `\`):
			pieces[last].Text = strings.TrimSuffix(pieces[last].Text, `\`) + "." + piece
			pieces[last].Span.End = end
		case i == 0 && piece == "" && end < len(path):
		default:
			pieces = append(pieces, Segment{Text: piece, Span: text.Span{Start: start, End: end}})
		}
		start = end + 1
	}
	return pieces
}

// joinBrackets joins the pieces from one that opens a bracket to the next one
// that closes one, or to the end. Without a "=" inside, the brackets only
// keep dots together and are taken off; but a bracket without a dot in it is
// left alone, as SmarterPathSplitter does.
func joinBrackets(pieces []Segment) []Segment {
	joined := pieces[:0]
	for i := 0; i < len(pieces); i++ {
		piece := pieces[i]
		if !strings.HasPrefix(piece.Text, "[") || strings.HasSuffix(piece.Text, "]") {
			joined = append(joined, piece)
			continue
		}
		texts := []string{piece.Text}
		for i < len(pieces)-1 && (len(texts) == 1 || !strings.HasSuffix(pieces[i].Text, "]")) {
			i++
			texts = append(texts, pieces[i].Text)
		}
		piece.Span.End = pieces[i].Span.End
		piece.Text = strings.Join(texts, ".")
		if !strings.Contains(piece.Text, "=") {
			piece.Text = strings.Trim(piece.Text, "[]")
		}
		joined = append(joined, piece)
	}
	return joined
}

func newSegment(s string, span text.Span) Segment {
	segment := Segment{Text: s, Span: span}
	number, err := strconv.Atoi(s)
	switch {
	case s == "":
		segment.Kind = Blank
	case err == nil:
		segment.Kind, segment.Index = Index, number
	case s == "-":
		segment.Kind = Last
	case s == "*":
		segment.Kind = Wildcard
	case strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]"):
		segment.setElement()
	}
	return segment
}

func (s *Segment) setElement() {
	inner := strings.TrimPrefix(strings.TrimSuffix(s.Text, "]"), "[")
	name, value, found := strings.Cut(inner, "=")
	if !found {
		s.Kind = Malformed
		return
	}
	s.Kind, s.Name, s.Value = Element, name, value
	s.pattern = newPattern(value)
}

// pattern is a regular expression that is compiled once for a path, and not at
// all where a search for the text does the same.
type pattern struct {
	literal    string
	expression *regexp.Regexp
	err        error
}

func newPattern(expression string) pattern {
	plain := regexp.QuoteMeta(expression) == expression &&
		utf8.ValidString(expression) && !strings.ContainsRune(expression, utf8.RuneError)
	if plain {
		return pattern{literal: expression}
	}
	compiled, err := regexp.Compile(expression)
	return pattern{expression: compiled, err: err}
}

// matches tells whether the pattern is found anywhere in s. A pattern that
// does not compile must not be asked.
func (p pattern) matches(s string) bool {
	if p.expression != nil {
		return p.expression.MatchString(s)
	}
	return strings.Contains(s, p.literal)
}
