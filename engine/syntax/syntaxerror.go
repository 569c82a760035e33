package syntax

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
)

// SyntaxError says why a text is not YAML, in our words.
type SyntaxError struct {
	Kind    ProblemKind // Malformed or InvalidCharacters
	Message string
	line    int // about where yaml.v3 met it, from 1; 0 where it does not say
}

// newSyntaxError reads the only thing that yaml.v3 gives: its message.
func newSyntaxError(err error) *SyntaxError {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		var number string
		number, message, _ = strings.Cut(rest, ": ")
		line, _ = strconv.Atoi(number)
	}
	for _, m := range messages {
		if strings.HasPrefix(message, m.theirs) {
			return &SyntaxError{m.kind, m.ours, line}
		}
	}
	return &SyntaxError{Malformed, message, line}
}

// messages says what the messages of yaml.v3 mean to somebody who has not read
// its source (scannerc.go, parserc.go, readerc.go, decode.go).
var messages = []struct {
	theirs string
	kind   ProblemKind
	ours   string
}{
	{"control characters are not allowed", InvalidCharacters, "a control character is not allowed"},
	{"invalid leading UTF-8", InvalidCharacters, "a byte is not UTF-8"},
	{"invalid trailing UTF-8", InvalidCharacters, "a byte is not UTF-8"},
	{"incomplete UTF-8", InvalidCharacters, "a character is cut off"},
	{"invalid length of a UTF-8", InvalidCharacters, "a byte is not UTF-8"},
	{"invalid Unicode character", InvalidCharacters, "a byte is not UTF-8"},
	{"incomplete UTF-16", InvalidCharacters, "a character is cut off"},
	{"unexpected low surrogate", InvalidCharacters, "a character is not UTF-16"},
	{"expected low surrogate", InvalidCharacters, "a character is not UTF-16"},

	{"mapping values are not allowed", Malformed, "a key cannot stand here: check the indentation, or quote a value that holds a colon"},
	{"block sequence entries are not allowed", Malformed, "a list item cannot stand here: begin it on a line of its own"},
	{"mapping keys are not allowed", Malformed, "a key cannot stand here"},
	{"could not find expected ':'", Malformed, "a key needs a colon after it"},
	{"did not find expected key", Malformed, "the indentation fits no key above, or the line goes on behind its value"},
	{"did not find expected '-' indicator", Malformed, "the indentation fits no list item above, or a list and keys are mixed"},
	{"did not find expected ',' or ']'", Malformed, "a comma or a closing ] is missing"},
	{"did not find expected ',' or '}'", Malformed, "a comma or a closing } is missing"},
	{"did not find expected node content", Malformed, "a value is missing"},
	{"did not find expected <document start>", Malformed, "something follows the end of the document"},
	{"found character that cannot start any token", Malformed, "no value can begin with this character: quote it, or indent with spaces if it is a tab"},
	{"found a tab character", Malformed, "a tab cannot indent, only spaces can"},
	{"found unexpected end of stream", Malformed, "a string has no closing quote"},
	{"found unexpected document indicator", Malformed, "a string is not closed before the next document"},
	{"found unknown escape character", Malformed, "there is no such escape: write \\\\ for a backslash"},
	{"did not find expected hexdecimal number", Malformed, "an escape needs more hexadecimal digits"},
	{"found invalid Unicode character escape", Malformed, "there is no character with this number"},
	{"did not find expected comment or line break", Malformed, "nothing may follow | or > on its line"},
	{"found an indentation indicator equal to 0", Malformed, "the indentation of a block must be 1 to 9"},
	{"did not find expected alphabetic or numeric", Malformed, "an anchor or alias needs a name of letters, digits, - and _"},
	{"unknown anchor", Malformed, "there is no anchor of this name above"},
	{"found undefined tag handle", Malformed, "the tag is not defined"},
	{"exceeded max depth", Malformed, "the nesting is too deep"},
}

// invalidCharacter returns the first character that yaml.v3 does not read.
func invalidCharacter(content []byte, from int) text.Span {
	for i := from; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && size == 1 || !isAllowed(r) {
			return text.Span{Start: i, End: i + size}
		}
		i += size
	}
	return text.Span{Start: from, End: from + bytes.IndexByte(append(content[from:len(content):len(content)], '\n'), '\n')}
}

// isAllowed is the set of characters of YAML 1.2 without the byte order mark,
// which yaml.v3 allows at the beginning of a line only.
func isAllowed(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85:
		return true
	case r < 0x20, r >= 0x7F && r < 0xA0, r >= 0xD800 && r < 0xE000, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return true
}
