package fieldpath

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// reformattingOf compares a document's old text with what the old document,
// unchanged, would be written as: the difference is not the value's.
func reformattingOf(document *Document) (changed Reformatting) {
	old := Document{Format: document.Format, Before: document.Before}
	var err error
	if old.Root, err = parseTarget(document.Before); err != nil {
		return 0
	}
	if strings.HasSuffix(document.Before, "\n") && !strings.HasSuffix(document.After, "\n") {
		changed |= TrailingNewline
	}
	old.After, err = serialise(&old)
	switch {
	case err != nil: // writing a value mended it, so the text never was JSON
		return changed | Spelling
	case old.Format == JSON:
		return changed | reformattedJSON(&old) | newEscapes(document)
	}
	return changed | reformattedYAML(old.Before, old.After)
}

// reformattedYAML compares all but the spaces around lines, and then those.
func reformattedYAML(before, after string) Reformatting {
	switch {
	case strings.TrimSpace(before) == after:
		return 0
	case slices.Equal(bareLines(before), bareLines(after)):
		return Whitespace
	}
	return Spelling
}

func bareLines(value string) []string {
	var lines []string
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func reformattedJSON(old *Document) (changed Reformatting) {
	visit(old.Root, func(n *yaml.Node) {
		if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" {
			changed |= Comments
		}
		if n.Kind == yaml.MappingNode && !keysAreSorted(n) {
			changed |= KeyOrder
		}
	})
	if !json.Valid([]byte(old.Before)) {
		return changed | Spelling
	}
	if layout(old.Before, strings.Contains(old.After, "\n")) != strings.TrimSpace(old.Before) {
		changed |= Whitespace
	}
	if !slices.Equal(tokens(old.Before), tokens(unescapeHTML(old.After))) {
		changed |= Spelling
	}
	return changed
}

func keysAreSorted(n *yaml.Node) bool {
	for i := 2; i < len(n.Content); i += 2 {
		if n.Content[i-2].Value > n.Content[i].Value {
			return false
		}
	}
	return true
}

// layout is strict JSON with the spaces that encoding/json would use.
func layout(value string, indented bool) string {
	var out bytes.Buffer
	if indented {
		_ = json.Indent(&out, []byte(value), "", "  ") // value was found to be valid
	} else {
		_ = json.Compact(&out, []byte(value))
	}
	return strings.TrimSpace(out.String())
}

// tokens are the strings, numbers and words of strict JSON as they are
// written, in sorted order.
func tokens(value string) []string {
	found := jsonToken().FindAllString(unescapeHTML(value), -1)
	slices.Sort(found)
	return found
}

var jsonToken = text.Regexp(`"(?:[^"\\]|\\.)*"|[-+.\w]+`)

// htmlEscapes are what encoding/json escapes though JSON need not.
var htmlEscapes = []string{`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029"}

func unescapeHTML(value string) string {
	return strings.NewReplacer(htmlEscapes...).Replace(value)
}

func newEscapes(document *Document) Reformatting {
	for i := 0; i < len(htmlEscapes); i += 2 {
		if strings.Count(document.After, htmlEscapes[i]) > strings.Count(document.Before, htmlEscapes[i]) {
			return Escapes
		}
	}
	return 0
}

// asJSON is how a scalar comes out of a JSON document.
func asJSON(n *yaml.Node) ([]byte, bool) {
	var value any
	if n.Decode(&value) != nil {
		return nil, false
	}
	out, err := json.Marshal(value)
	return out, err == nil
}

// sameNumber compares exactly. Texts that are no decimal numbers (0x1F, 1_000,
// 017) are taken for the same: yaml.v3 reads them as integers without loss.
func sameNumber(before, after string) bool {
	a, isNumber := newDecimal(before)
	b, isNumberToo := newDecimal(after)
	return !isNumber || !isNumberToo || a == b
}

// decimal is a number without the ways there are to write it: its digits from
// the first to the last that is not 0, and the power of ten behind them.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

func newDecimal(s string) (d decimal, ok bool) {
	match := decimalNumber().FindStringSubmatch(s)
	if match == nil {
		return d, false
	}
	if match[4] != "" {
		var err error
		if d.exponent, err = strconv.Atoi(match[4]); err != nil {
			return d, false
		}
	}
	digits := match[2] + match[3]
	d.exponent -= len(match[3])
	d.digits = strings.TrimRight(digits, "0")
	d.exponent += len(digits) - len(d.digits)
	d.digits = strings.TrimLeft(d.digits, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	d.negative = match[1] == "-"
	return d, true
}

var decimalNumber = text.Regexp(`^([-+]?)((?:0|[1-9][0-9]*)?)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$`)
