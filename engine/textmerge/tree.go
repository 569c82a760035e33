package textmerge

import (
	"bytes"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// document is one text and what it says.
type document struct {
	text []byte
	// root is nil for a YAML text without content.
	root *node
	// second is the beginning of a second document, -1 where there is none.
	second int
}

type kind int

const (
	scalar kind = iota
	mapping
	sequence
	alias
)

// node is a value and the bytes that it takes.
type node struct {
	kind kind
	span text.Span // with tag and anchor
	body text.Span // without them
	flow bool      // between brackets
	// lines is true where the value goes over several lines.
	lines bool
	// shared is true for an anchor that an alias names.
	shared bool

	members []member
	items   []*node

	value scalarValue
	quote byte   // the first byte of a quoted or block scalar, else 0
	text  string // what a scalar was read as
	tag   string // as it is written
}

// member is one entry of a mapping. Its start may be before the key: a key of
// several lines has a question mark.
type member struct {
	key, value *node
	start, end int
}

// scalarValue is what a scalar means: equal ones are the same value.
type scalarValue struct{ tag, text string }

const nullTag, mergeTag, numberTag = "!!null", "!!merge", "number"

func (n *node) isNull() bool { return n.kind == scalar && n.value.tag == nullTag }

func (n *node) isEmpty() bool { return len(n.members)+len(n.items) == 0 }

func (n *node) isCollection() bool { return n.kind == mapping || n.kind == sequence }

// index returns the positions of the members by key; of a key that stands twice
// the first, while again has the others.
func (n *node) index() (at map[scalarValue]int, again map[scalarValue][]*node) {
	at = make(map[scalarValue]int, len(n.members))
	for i, m := range n.members {
		if m.key.kind != scalar {
			continue
		}
		if _, ok := at[m.key.value]; !ok {
			at[m.key.value] = i
			continue
		}
		if again == nil {
			again = map[scalarValue][]*node{}
		}
		again[m.key.value] = append(again[m.key.value], m.key)
	}
	return at, again
}

// equal tells whether two values mean the same. An alias equals nothing.
func equal(a, b *node) bool {
	if a.kind != b.kind || a.kind == alias || len(a.members) != len(b.members) || len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		if !equal(a.items[i], b.items[i]) {
			return false
		}
	}
	if a.kind != mapping {
		return a.value == b.value
	}
	at, _ := a.index()
	others, _ := b.index()
	if len(at) != len(a.members) || len(others) != len(b.members) {
		return false
	}
	for _, m := range b.members {
		i, ok := at[m.key.value]
		if !ok || !equal(a.members[i].value, m.value) {
			return false
		}
	}
	return true
}

// meaning is the value of a scalar node of yaml.v3. In JSON 1 and 1.0 are the same
// number; in YAML one is an integer and the other is not.
func meaning(n *yaml.Node, format Format) scalarValue {
	tag := n.ShortTag()
	switch {
	case n.Value == "<<" && (tag == mergeTag || tag == "!!str" && n.Style == 0):
		return scalarValue{mergeTag, n.Value}
	case tag == nullTag:
		return scalarValue{tag: nullTag}
	case tag == "!!bool":
		return scalarValue{tag, strings.ToLower(n.Value)}
	case tag == "!!int" || tag == "!!float":
		return numberValue(tag, n, format)
	case tag == "!!timestamp":
		var at time.Time
		if n.Decode(&at) == nil {
			return scalarValue{tag, at.UTC().Format(time.RFC3339Nano)}
		}
	}
	return scalarValue{tag, n.Value}
}

func numberValue(tag string, n *yaml.Node, format Format) scalarValue {
	if format == JSON {
		if v, ok := exactNumber(n.Value); ok {
			return scalarValue{numberTag, v}
		}
	}
	if i, ok := new(big.Int).SetString(strings.ReplaceAll(n.Value, "_", ""), 0); ok && tag == "!!int" {
		return scalarValue{tag, i.String()}
	}
	var f float64
	if n.Decode(&f) == nil {
		return scalarValue{tag, strconv.FormatFloat(f, 'g', -1, 64)}
	}
	return scalarValue{tag, n.Value}
}

// exactNumber is one text for each decimal number, however it is written.
func exactNumber(s string) (canonical string, ok bool) {
	digits, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	shift := 0
	if exponent != "" {
		var err error
		if shift, err = strconv.Atoi(exponent); err != nil {
			return "", false
		}
	}
	sign := ""
	if strings.HasPrefix(digits, "-") || strings.HasPrefix(digits, "+") {
		sign, digits = strings.TrimPrefix(digits[:1], "+"), digits[1:]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits, shift = whole+fraction, shift-len(fraction)
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return "", false
	}
	digits = strings.TrimLeft(digits, "0")
	trimmed := strings.TrimRight(digits, "0")
	if trimmed == "" {
		return "0", true
	}
	return sign + trimmed + "e" + strconv.Itoa(shift+len(digits)-len(trimmed)), true
}

// spansLines tells whether there is a line break among the bytes.
func spansLines(content []byte, span text.Span) bool {
	return bytes.ContainsAny(content[span.Start:span.End], "\n\r")
}
