package render

import (
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"
)

const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// A value is what a scalar node is once it reached yaml.v2: a string, or the
// final text of anything else.
type value struct {
	text   string
	traits traits
	// typed says that the value is no string: a number, a boolean or null.
	typed bool
}

// scalar returns what a scalar node is after yaml.v3 wrote and read it and
// JSON carried it. It returns errRoundTrip where that has to be tried.
func (w *walker) scalar(n *yaml.Node, flow, key bool) (value, error) {
	if w.decoded {
		return w.decodedScalar(n)
	}
	if !scalarCommentsSafe(n, flow) {
		return value{}, errRoundTrip
	}
	tag := n.Tag
	if tag != "" && tag != "!!str" {
		if n.Style&yaml.TaggedStyle != 0 || tag == "!" {
			return value{}, errRoundTrip
		}
		if rest, long := strings.CutPrefix(tag, longPrefix); long {
			tag = "!!" + rest
		}
	} else if tag != "" && n.Style&yaml.TaggedStyle != 0 {
		return value{}, errRoundTrip
	}
	if n.Style&quoted != 0 {
		return quotedScalar(n, tag, flow, key)
	}
	if n.Value == "<<" {
		return value{}, errRoundTrip
	}
	if tag == "!!str" {
		return stringValue(n, flow, key)
	}
	return untaggedScalar(n, tag, flow, key)
}

// decodedScalar returns the value of a node that roundTrip made.
func (w *walker) decodedScalar(n *yaml.Node) (value, error) {
	if n.Tag == "!!str" {
		return carried(n, n.Value, traitsOf(n.Value))
	}
	return value{text: n.Value, typed: true}, nil
}

// quotedScalar returns the value of a node with quotes: a string, since
// yaml.v3 leaves out a tag that agrees with the value, and so only quotes stay.
func quotedScalar(n *yaml.Node, tag string, flow, key bool) (value, error) {
	if tag != "" && tag != "!!str" {
		if k, _ := resolve(n.Value); k.tag() != tag {
			return value{}, errRoundTrip
		}
	}
	return stringValue(n, flow, key)
}

// untaggedScalar returns the value of a node without quotes whose tag, if it
// has one, agrees with the value.
func untaggedScalar(n *yaml.Node, tag string, flow, key bool) (value, error) {
	k, text := resolve(n.Value)
	if tag != "" && k.tag() != tag {
		return value{}, errRoundTrip
	}
	switch {
	case k == kindString,
		// yaml.v3 writes quotes where an empty text or a colon cannot stand
		// alone, and the quotes make it a string.
		n.Value == "" && (flow || key),
		k == kindTimestamp && flow && strings.IndexByte(n.Value, ':') >= 0:
		return stringValue(n, flow, key)
	case key || text == "":
		return value{}, errRoundTrip
	case k == kindTimestamp:
		return value{text: text, traits: traitsOf(text)}, nil
	}
	return value{text: text, typed: true}, nil
}

// stringValue returns a node's text as a string.
func stringValue(n *yaml.Node, flow, key bool) (value, error) {
	t := traitsOf(n.Value)
	if t&(newline|tab|separator|invalid) != 0 && !survives(n, t, key) {
		return value{}, errRoundTrip
	}
	return carried(n, n.Value, t)
}

// survives tells whether yaml.v3 certainly reads a text with line breaks or
// tabs the way it was before it wrote it.
func survives(n *yaml.Node, t traits, key bool) bool {
	switch {
	case t&invalid != 0:
		return false
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return true
	case t&separator != 0, key && t&newline != 0:
		return false
	case n.Style&yaml.SingleQuotedStyle != 0:
		return true
	case n.Style&yaml.FoldedStyle != 0:
		return foldedSurvives(n.Value)
	}
	// Without an indentation hint the reader takes a tab for indentation.
	return n.Value[0] != '\t'
}

// foldedSurvives tells whether a text may be written in folded style without
// harm: yaml.v3 adds line breaks next to lines that start with blanks and at
// the end.
func foldedSurvives(s string) bool {
	for i := 0; i < len(s); i++ {
		if (i == 0 || s[i-1] == '\n') && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' && (i == 0 || i == len(s)-1)) {
			return false
		}
	}
	return true
}

// carried returns a string as JSON carries it to yaml.v2.
func carried(n *yaml.Node, s string, t traits) (value, error) {
	if t&forbidden != 0 {
		return value{}, refuseCharacter(n)
	}
	if t&nextLine != 0 {
		folded, ok := foldNextLines(s)
		if !ok {
			return value{}, refuse(n, Unreadable, "found unexpected document indicator")
		}
		// The key itself is refused by checkKey, so the trait stays.
		return value{text: folded, traits: traitsOf(folded) | nextLine}, nil
	}
	return value{text: s, traits: t}, nil
}

// nextLineText is U+0085.
const nextLineText = "\u0085"

// foldNextLines does what yaml.v2 does to U+0085 in a quoted text, where JSON
// leaves it as it is: it is a line break, so one becomes a space, more become
// line feeds, and spaces around go. It fails where a line then looks like the
// start or end of a document.
func foldNextLines(s string) (string, bool) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, nextLineText)
		if !found {
			b.WriteString(s)
			return b.String(), true
		}
		b.WriteString(strings.TrimRight(before, " "))
		breaks, atStart := 1, true
		for {
			if rest, ok := strings.CutPrefix(after, nextLineText); ok {
				after, breaks, atStart = rest, breaks+1, true
			} else if rest, ok := strings.CutPrefix(after, " "); ok {
				after, atStart = rest, false
			} else {
				break
			}
		}
		if atStart && documentIndicator(after) {
			return "", false
		}
		if breaks == 1 {
			b.WriteByte(' ')
		} else {
			b.WriteString(strings.Repeat("\n", breaks-1))
		}
		s = after
	}
}

func documentIndicator(s string) bool {
	if !strings.HasPrefix(s, "---") && !strings.HasPrefix(s, "...") {
		return false
	}
	return strings.HasPrefix(s[3:], " ") || strings.HasPrefix(s[3:], nextLineText)
}

// maxKeyLength is how many characters yaml.v2's parser looks ahead for the
// colon behind a key.
const maxKeyLength = 1024

// jsonLength returns the number of characters of a text in JSON as
// encoding/json writes it, with quotes.
func jsonLength(s string) int {
	length := len(`""`) + utf8.RuneCountInString(s)
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			length += len(`ufffd`)
		case r == '"', r == '\\', r == '\b', r == '\f', r == '\n', r == '\r', r == '\t':
			length++
		case r < ' ', r == '<', r == '>', r == '&', r == 0x2028, r == 0x2029:
			length += len(`u003c`)
		}
	}
	return length
}
