package complete

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// choice is a suggestion before it is written for its slot.
type choice struct {
	label, detail, documentation string
	kind                         SuggestionKind
	deprecated                   bool
	rank                         int // less comes first

	// A value is written as a scalar: one that is no text, as a number, as it is.
	// Where it is a part of what stands in the slot, value is the whole with it, and
	// rest is how many bytes of the value behind the position go with the part.
	value string
	plain bool
	part  bool
	rest  int

	// A key is written with what comes after it.
	key   bool
	shape shape
	// body is a snippet of what is below the key, without indentation.
	body string
	// item is true where a dash comes before it, below where it begins in the line
	// below the key that the slot is behind.
	item, below bool
}

// shape is what follows a key.
type shape int

const (
	scalarShape shape = iota
	objectShape
	listShape
	noShape // nothing: not even a colon
)

// add adds a choice, unless one of the same label is there.
func (c *completer) add(ch choice) {
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if ch.label == "" || c.seen[ch.label] {
		return
	}
	c.seen[ch.label] = true
	c.choices = append(c.choices, ch)
}

// completion writes the choices; nil for none.
func (c *completer) completion() *Completion {
	if len(c.choices) == 0 || c.err != nil {
		return nil
	}
	choices := slices.Clone(c.choices)
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Or(a.rank-b.rank, naturally(a.label, b.label)) })
	result := &Completion{}
	if len(choices) > maxSuggestions {
		choices = c.fitting(choices)
		result.Incomplete = true
	}
	for _, ch := range choices[:min(len(choices), maxSuggestions)] {
		result.Suggestions = append(result.Suggestions, c.write(ch))
	}
	return result
}

// naturally orders numbers by their value.
func naturally(a, b string) int {
	if len(a) != len(b) && IsDigits(a) && IsDigits(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// fitting leaves those that have what was typed in them, those that begin with it
// first.
func (c *completer) fitting(choices []choice) []choice {
	typed := strings.ToLower(c.slot.Typed)
	var beginning, having []choice
	for _, ch := range choices {
		switch text := strings.ToLower(cmp.Or(ch.value, ch.label)); {
		case strings.HasPrefix(text, typed):
			beginning = append(beginning, ch)
		case isWithin(typed, text):
			having = append(having, ch)
		}
	}
	return append(beginning, having...)
}

// isWithin tells whether the letters of a stand in b in this order, which is how
// editors filter.
func isWithin(a, b string) bool {
	for i := 0; i < len(b) && a != ""; i++ {
		if a[0] == b[i] {
			a = a[1:]
		}
	}
	return a == ""
}

// write writes a choice for the slot.
func (c *completer) write(ch choice) Suggestion {
	s := Suggestion{Label: ch.label, Kind: ch.kind, Detail: ch.detail, Documentation: ch.documentation, Deprecated: ch.deprecated}
	replace := c.slot.Word
	insert := text.Span{Start: replace.Start, End: c.offset}
	if ch.key {
		s.Text, s.Snippet, s.Filter = c.keyText(ch)
		if c.slot.Quote != 0 {
			s.Filter = string(c.slot.Quote) + ch.label
		}
	} else {
		s.Text, s.Filter, replace.End = c.valueText(ch)
	}
	insert.End = min(insert.End, replace.End)
	if c.slot.Tight && !ch.below {
		s.Text = " " + s.Text
		if s.Snippet != "" {
			s.Snippet = " " + s.Snippet
		}
	}
	s.Replace, s.Insert = replace, insert
	if c.host != nil {
		s.Replace, s.Insert = c.host.Outer(replace), c.host.Outer(insert)
		s.Text = c.host.Written(s.Text)
		if s.Snippet = c.host.Written(s.Snippet); !c.host.IsBlock() {
			s.Snippet = "" // its own escapes would be escaped
		}
	}
	return s
}

// keyText returns a key with what comes after it, in plain and as a snippet, and
// what it is found by.
func (c *completer) keyText(ch choice) (plain, snippet, filter string) {
	name := c.scalarText(ch.label)
	start, column := c.lineStart(ch)
	column += len(start) - strings.LastIndexByte(start, '\n') - 1
	switch {
	case c.slot.Colon || ch.shape == noShape:
		return start + name, "", ch.label
	case c.slot.Flow || c.host != nil && !c.host.IsBlock():
		open, end := "", ""
		switch ch.shape {
		case objectShape:
			open, end = "{", "}"
		case listShape:
			open, end = "[", "]"
		}
		plain = name + ": " + open + end
		if open != "" {
			snippet = snippetText(name+": "+open) + "$0" + snippetText(end)
		}
		return plain, snippet, ch.label
	}
	plain = start + name + ":"
	below := "\n" + strings.Repeat(" ", column)
	switch ch.shape {
	case scalarShape:
		plain += " "
		if ch.body != "" {
			snippet = snippetText(plain) + strings.ReplaceAll(ch.body, "\n", below)
		}
		return plain, snippet, ch.label
	case objectShape:
		below += "  "
	case listShape:
		below += strings.Repeat(" ", c.listIndent())
	}
	if ch.body != "" {
		snippet = snippetText(plain) + below + strings.ReplaceAll(ch.body, "\n", below)
	}
	if plain += below; ch.shape == listShape {
		plain += "- "
	}
	return plain, snippet, ch.label
}

// choiceOf is a tab stop with values to choose from.
func choiceOf(values []string) string {
	escaped := make([]string, len(values))
	for i, value := range values {
		escaped[i] = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`, `,`, `\,`, `|`, `\|`).Replace(value)
	}
	return "${1|" + strings.Join(escaped, ",") + "|}"
}

// lineStart returns what is written before a choice, and the column at which that
// begins, or, where it begins with a line break, at which the next line does.
func (c *completer) lineStart(ch choice) (start string, column int) {
	column = c.slot.Column
	switch {
	case ch.below:
		start = "\n" + strings.Repeat(" ", c.columnBelow(ch))
		column = 0
	case c.slot.Tight:
		column++
	}
	if ch.item || c.slot.Dashed {
		start += "- "
	}
	return start, column
}

// columnBelow is that of what stands below the key that the slot is behind.
func (c *completer) columnBelow(ch choice) int {
	_, _, column := syntax.Place(c.last().Key)
	if ch.item {
		return column - 1 + c.listIndent()
	}
	return column + 1
}

// snippetText escapes what has a meaning in snippets.
func snippetText(plain string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace(plain)
}

// listIndent returns by how much lists are indented below their keys in this
// document.
func (c *completer) listIndent() int {
	found := 0
	var look func(n *yaml.Node) bool
	look = func(n *yaml.Node) bool {
		if n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 {
			for i := 1; i < len(n.Content); i += 2 {
				if list := n.Content[i]; list.Kind == yaml.SequenceNode && list.Style&yaml.FlowStyle == 0 {
					_, _, column := syntax.Place(list)
					_, _, key := syntax.Place(n.Content[i-1])
					found = max(0, column-key)
					return true
				}
			}
		}
		return slices.ContainsFunc(n.Content, look)
	}
	look(c.slot.Root)
	return min(found, 4)
}

// valueText returns a value as it is written in the slot, what it is found by, and
// where what it takes the place of ends.
func (c *completer) valueText(ch choice) (written, filter string, end int) {
	value, word := ch.value, c.slot.Word
	start, _ := c.lineStart(ch)
	if c.slot.Quote != 0 {
		quote := string(c.slot.Quote)
		written = quote + quoted(value, c.slot.Quote)
		filter, end = written, word.End
		if c.slot.Closed && c.offset < word.End {
			end--
			if ch.part {
				end = min(end, c.offset+ch.rest)
			}
		} else {
			written += quote
		}
		return start + written, filter, end
	}
	if ch.plain {
		return start + value, value, word.End
	}
	written = c.scalarText(value)
	if !ch.part || written != value {
		if ch.part {
			behind := string(c.content[min(c.offset+ch.rest, word.End):word.End])
			written = c.scalarText(value + behind)
		}
		return start + written, value, word.End
	}
	return start + written, value, min(c.offset+ch.rest, word.End)
}

// scalarText writes a text as a scalar that reads as it, quoted where it has to be.
func (c *completer) scalarText(value string) string {
	switch {
	case c.slot.Quote == '\'':
		return scalar.Write(value, yaml.SingleQuotedStyle, c.slot.Flow)
	case c.slot.Quote == '"' || c.isJSON():
		return scalar.DoubleQuoted(value)
	}
	return scalar.Write(value, 0, c.slot.Flow)
}

// isJSON tells whether the slot is in a text that is written as JSON.
func (c *completer) isJSON() bool {
	if !c.slot.Flow || c.slot.Root == nil || c.slot.Root.Style&yaml.FlowStyle == 0 {
		return false
	}
	for _, step := range c.before() {
		if step.Key != nil {
			return step.Key.Style&yaml.DoubleQuotedStyle != 0
		}
	}
	parent := c.last().Parent
	if parent.Kind == yaml.MappingNode && len(parent.Content) > 2 {
		return slices.ContainsFunc(parent.Content, func(n *yaml.Node) bool { return n.Style&yaml.DoubleQuotedStyle != 0 })
	}
	return strings.HasSuffix(c.file, ".json") || c.host != nil
}

// quoted escapes a text for within quotes.
func quoted(value string, quote byte) string {
	written := scalar.DoubleQuoted(value)
	if quote == '\'' {
		written = scalar.SingleQuoted(value)
	}
	return written[1 : len(written)-1]
}
