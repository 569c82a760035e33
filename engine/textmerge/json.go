package textmerge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
)

// jsonScan is a text read as JSON: a tree where it is strict, what is loose about
// it where it is not, and the first thing that no reading allows.
type jsonScan struct {
	root    *node
	loose   []Finding
	problem *Finding

	content []byte
	at      int
}

// maxDepth is how deep brackets may nest; yaml.v3 has the same limit.
const maxDepth = 10000

// scanJSON reads a text as JSON (RFC 8259). Words without quotes, single quotes,
// a comma after the last member and comments are loose: yaml.v3 reads them.
func scanJSON(content []byte) *jsonScan {
	s := &jsonScan{content: content, at: len(content) - len(bytes.TrimPrefix(content, []byte(byteOrderMark)))}
	s.root = s.value(0)
	if s.problem == nil && s.space() < len(content) {
		s.fail(s.token(), "something follows the end of the document")
	}
	return s
}

func (s *jsonScan) fail(span text.Span, message string) {
	if s.problem == nil {
		s.problem = &Finding{Kind: Unparsable, Span: span, Message: message}
	}
}

func (s *jsonScan) looseAt(span text.Span, message, instead string, hasFix bool) {
	s.loose = append(s.loose, Finding{Kind: NotStrict, Span: span, Message: message, New: instead, HasFix: hasFix})
}

// space passes over blanks and comments and returns where they end.
func (s *jsonScan) space() int {
	for s.at < len(s.content) {
		switch c := s.content[s.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
		case c == '#':
			start := s.at
			s.at = lineEnd(s.content, s.at)
			s.looseAt(text.Span{Start: start, End: s.at}, "JSON has no comments", "", false)
		default:
			return s.at
		}
	}
	return s.at
}

// token is the bytes of what stands at hand, at least one.
func (s *jsonScan) token() text.Span {
	end := s.at
	for end < len(s.content) && bytes.IndexByte([]byte(" \t\r\n,:[]{}"), s.content[end]) < 0 {
		end++
	}
	return text.Span{Start: s.at, End: min(max(end, s.at+1), len(s.content))}
}

func (s *jsonScan) peek() byte {
	if s.at < len(s.content) {
		return s.content[s.at]
	}
	return 0
}

func (s *jsonScan) value(depth int) *node {
	s.space()
	start := s.at
	n := &node{flow: true, body: text.Span{Start: start}}
	switch c := s.peek(); {
	case s.at >= len(s.content):
		s.fail(text.Span{Start: start, End: start}, "a value is missing")
	case depth > maxDepth:
		s.fail(s.token(), "the nesting is too deep")
	case c == '{':
		n.kind = mapping
		s.collection(n, '}', depth)
	case c == '[':
		n.kind = sequence
		s.collection(n, ']', depth)
	case c == ',' || c == ':' || c == ']' || c == '}':
		s.fail(s.token(), "a value is missing")
	default:
		s.scalar(n)
	}
	n.body.End = s.at
	n.span = n.body
	n.lines = spansLines(s.content, n.body)
	return n
}

func (s *jsonScan) collection(n *node, closing byte, depth int) {
	open := s.at
	s.at++
	for comma := -1; s.problem == nil; {
		s.space()
		if s.at >= len(s.content) {
			s.fail(text.Span{Start: open, End: open + 1}, fmt.Sprintf("the %c has no closing %c", s.content[open], closing))
			return
		}
		if s.peek() == closing {
			if comma >= 0 {
				s.looseAt(text.Span{Start: comma, End: comma + 1}, "remove the comma after the last", "", true)
			}
			s.at++
			return
		}
		if comma < 0 && !n.isEmpty() {
			s.fail(s.token(), fmt.Sprintf("a comma or a closing %c is missing", closing))
			return
		}
		if n.kind == mapping {
			s.member(n, depth)
		} else {
			n.items = append(n.items, s.value(depth+1))
		}
		if comma = -1; s.problem == nil && s.space() < len(s.content) && s.peek() == ',' {
			comma = s.at
			s.at++
		}
	}
}

func (s *jsonScan) member(n *node, depth int) {
	key := s.value(depth + 1)
	if s.problem != nil {
		return
	}
	if key.isCollection() {
		s.fail(key.span, "a key must be a text")
		return
	}
	if key.value.tag != "!!str" {
		s.looseAt(key.span, "a key needs quotes", quoted(key.text), true)
	}
	s.space()
	if s.peek() != ':' {
		s.fail(key.span, "a key needs a colon after it")
		return
	}
	s.at++
	value := s.value(depth + 1)
	n.members = append(n.members, member{key, value, key.span.Start, value.span.End})
}

// scalar reads a string or a word.
func (s *jsonScan) scalar(n *node) {
	switch c := s.peek(); c {
	case '"', '\'':
		n.quote = c
		s.quoted(n, c)
		return
	}
	span := s.word()
	s.at = span.End
	n.text = string(s.content[span.Start:span.End])
	switch {
	case n.text == "null":
		n.value = scalarValue{tag: nullTag}
	case n.text == "true" || n.text == "false":
		n.value = scalarValue{"!!bool", n.text}
	case json.Valid([]byte(n.text)):
		n.value = scalarValue{numberTag, n.text}
		if exact, ok := exactNumber(n.text); ok {
			n.value.text = exact
		}
	default:
		n.value = scalarValue{"!!str", n.text}
		s.looseAt(span, fmt.Sprintf("%s needs quotes", n.text), quoted(n.text), true)
	}
}

// word is what yaml.v3 would take for a value without quotes, on one line.
func (s *jsonScan) word() text.Span {
	end := s.at
	for end < len(s.content) && bytes.IndexByte([]byte(",[]{}\r\n"), s.content[end]) < 0 {
		after := byte(' ')
		if end+1 < len(s.content) {
			after = s.content[end+1]
		}
		if s.content[end] == ':' && bytes.IndexByte([]byte(" \t\r\n,[]{}"), after) >= 0 {
			break
		}
		if s.content[end] == '#' && end > s.at && (s.content[end-1] == ' ' || s.content[end-1] == '\t') {
			break
		}
		end++
	}
	length := len(bytes.TrimRight(s.content[s.at:end], " \t"))
	return text.Span{Start: s.at, End: s.at + max(1, length)}
}

func (s *jsonScan) quoted(n *node, quote byte) {
	start := s.at
	for s.at++; s.peek() != quote || s.doubled(quote); s.at++ {
		switch {
		case s.at >= len(s.content) || s.content[s.at] == '\n':
			s.at = min(s.at, len(s.content))
			s.unclosed(start)
			return
		case s.content[s.at] == '\\' && quote == '"', s.doubled(quote):
			s.at++
		}
	}
	s.at++
	span := text.Span{Start: start, End: s.at}
	raw := s.content[start:s.at]
	n.value.tag = "!!str"
	if quote == '\'' {
		n.text = strings.ReplaceAll(string(raw[1:len(raw)-1]), "''", "'")
		s.looseAt(span, "JSON has double quotes only", quoted(n.text), true)
	} else if !utf8.Valid(raw) || json.Unmarshal(raw, &n.text) != nil {
		n.text = string(raw[1 : len(raw)-1])
		s.looseAt(span, "the string has an escape or a character that JSON does not allow", "", false)
	}
	n.value.text = n.text
}

// unclosed reports a string that goes on to the end of its line. Where the line
// ends with a comma, that was probably meant to stand behind the quote.
func (s *jsonScan) unclosed(start int) {
	if s.problem != nil {
		return
	}
	span := text.Span{Start: start, End: len(bytes.TrimRight(s.content[:s.at], " \t\r"))}
	raw := string(s.content[span.Start:max(span.Start, span.End)])
	value, comma := strings.TrimSuffix(raw, ","), ""
	if value != raw {
		comma = ","
	}
	s.problem = &Finding{Kind: Unparsable, Span: span, Message: "the string has no closing quote", New: value + raw[:1] + comma, HasFix: true}
}

// doubled tells whether two single quotes stand for one.
func (s *jsonScan) doubled(quote byte) bool {
	return quote == '\'' && s.peek() == quote && s.at+1 < len(s.content) && s.content[s.at+1] == quote
}

// quoted writes a text as a JSON string.
func quoted(value string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// lineEnd returns the offset of the line break that ends the line, before its
// carriage return, or of the end of the text.
func lineEnd(content []byte, at int) int {
	end := len(content)
	if length := bytes.IndexByte(content[at:], '\n'); length >= 0 {
		end = at + length
	}
	if end > at && end < len(content) && content[end-1] == '\r' {
		end--
	}
	return end
}
