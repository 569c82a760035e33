package edit

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Pair is an entry of a mapping. An empty value stands for no entry.
type Pair struct {
	Key, Value string
	// Number is true for a whole number, which is written without quotes.
	Number bool
}

func (p Pair) node() *yaml.Node {
	if p.Number {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: p.Value}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: p.Value}
}

func (p Pair) written(style yaml.Style, inFlow bool) string {
	if p.Number {
		return p.Value
	}
	return scalar.Write(p.Value, style, inFlow)
}

// SetField makes the edits that give a field of the file's root a text. A missing field goes to the end, as with
// kustomize edit.
func (f *File) SetField(name, value string) (edits []text.Edit, reason string) {
	pair := Pair{Key: name, Value: value}
	switch x := f.field(name); {
	case x == nil && f.inBlock():
		indent := 0
		if len(f.fields) > 0 {
			indent = f.column(f.fields[0].key)
		}
		edits = []text.Edit{f.appendLines(shift([]string{f.newKey(f.root, name) + ": " + pair.written(0, false)}, indent))}
	case x == nil:
		edits = f.appendToBraces(f.newKey(f.root, name) + ": " + pair.written(yaml.DoubleQuotedStyle, true))
	case x.twice:
		return nil, twiceReason(name)
	case x.value.Kind != yaml.ScalarNode:
		return nil, "its " + name + " is not a text"
	case x.value.Value == value && !isNull(x.value):
		return nil, ""
	default:
		edits = []text.Edit{f.setValue(x.key, x.value, pair, !f.inBlock())}
	}
	return f.checkedField(edits, name, true, func(after *yaml.Node) bool {
		return after != nil && after.Kind == yaml.ScalarNode && after.Value == value
	})
}

// setValue makes the edit that writes another value behind a key.
func (f *File) setValue(key, value *yaml.Node, pair Pair, inFlow bool) text.Edit {
	_, span := syntax.ValueSpan(f.table, value)
	style := value.Style
	if style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		style = 0
	}
	if isNull(value) && span.Len() == 0 {
		_, at := syntax.ValueSpan(f.table, key)
		for at.End < len(f.text) && f.text[at.End] != ':' {
			at.End++
		}
		end := min(at.End+1, len(f.text))
		return text.Edit{Span: text.Span{Start: end, End: end}, New: " " + pair.written(0, inFlow)}
	}
	return text.Edit{Span: span, New: pair.written(style, inFlow)}
}

// SetEntry makes the edits that give the entry of a list which the first of the pairs identifies those values, and adds
// one where there is none. Pairs with an empty value are taken away; what is not named stays.
func (f *File) SetEntry(list string, pairs []Pair) (edits []text.Edit, reason string) {
	x := f.field(list)
	if x != nil && x.twice {
		return nil, twiceReason(list)
	}
	if x != nil && x.value.Kind == yaml.SequenceNode {
		for _, entry := range x.value.Content {
			if _, name := syntax.Field(entry, pairs[0].Key); entry.Kind == yaml.MappingNode && name != nil && name.Value == pairs[0].Value {
				return f.setEntry(list, entry, pairs)
			}
		}
	}
	m := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, p := range pairs {
		if p.Value != "" {
			m.Content = append(m.Content, Pair{Value: p.Key}.node(), p.node())
		}
	}
	return f.AddMapping(list, m)
}

// setEntry changes a mapping. A key that goes and one that comes share a line, so that its comment stays.
func (f *File) setEntry(list string, entry *yaml.Node, pairs []Pair) ([]text.Edit, string) {
	var edits []text.Edit
	var gone []int
	var come []Pair
	for _, p := range pairs {
		at := slices.IndexFunc(entry.Content, func(n *yaml.Node) bool { return n.Value == p.Key })
		for at >= 0 && at%2 == 1 {
			next := slices.IndexFunc(entry.Content[at+1:], func(n *yaml.Node) bool { return n.Value == p.Key })
			if at = at + 1 + next; next < 0 {
				at = -1
			}
		}
		switch {
		case at >= 0 && p.Value == "":
			gone = append(gone, at)
		case at < 0 && p.Value != "":
			come = append(come, p)
		case at >= 0 && entry.Content[at+1].Value != p.Value:
			edits = append(edits, f.setValue(entry.Content[at], entry.Content[at+1], p, isFlow(entry)))
		}
	}
	for len(gone) > 0 && len(come) > 0 {
		at := gone[len(gone)-1]
		key, value := entry.Content[at], entry.Content[at+1]
		edits = append(edits, f.rename(key, come[0].Key), f.setValue(key, value, come[0], isFlow(entry)))
		gone, come = gone[:len(gone)-1], come[1:]
	}
	for _, at := range gone {
		edits = append(edits, f.dropPair(entry, at))
	}
	edits = append(edits, f.appendPairs(entry, come)...)
	if len(edits) == 0 {
		return nil, ""
	}
	// A comment on a line that goes, goes with it.
	return f.checkedField(edits, list, len(gone) == 0, func(after *yaml.Node) bool { return f.isOnlyEntryChanged(list, after, pairs) })
}

// dropPair takes a pair out of a mapping that keeps others.
func (f *File) dropPair(m *yaml.Node, at int) text.Edit {
	switch {
	case isFlow(m):
		return text.Edit{Span: f.withComma(m, at, at+1)}
	case at == 0:
		return text.Edit{Span: text.Span{Start: f.span(m.Content[0]).Start, End: f.span(m.Content[2]).Start}}
	}
	return f.removeLines(f.lineAt(f.span(m.Content[at]).Start), f.lastLine(m.Content[at+1]))
}

func (f *File) appendPairs(m *yaml.Node, pairs []Pair) []text.Edit {
	if len(pairs) == 0 {
		return nil
	}
	last := m.Content[len(m.Content)-1]
	if isFlow(m) {
		at := f.span(last).End
		var written strings.Builder
		for _, p := range pairs {
			written.WriteString(f.separator(m) + quotedAs(m.Content[0], p.Key) + ": " + p.written(m.Content[len(m.Content)-1].Style, true))
		}
		return []text.Edit{{Span: text.Span{Start: at, End: at}, New: written.String()}}
	}
	var lines []string
	for _, p := range pairs {
		lines = append(lines, blank(f.column(m.Content[0]))+quotedAs(m.Content[0], p.Key)+": "+p.written(0, false))
	}
	return []text.Edit{f.insertLines(f.lastLine(last), lines)}
}

// isOnlyEntryChanged tells whether a list is as it was but for the entry, which has the values.
func (f *File) isOnlyEntryChanged(list string, after *yaml.Node, pairs []Pair) bool {
	before := f.field(list).value
	if after == nil || len(after.Content) != len(before.Content) {
		return false
	}
	for i, entry := range after.Content {
		if _, name := syntax.Field(entry, pairs[0].Key); name == nil || name.Value != pairs[0].Value {
			if !equal.Trees(entry, before.Content[i]) {
				return false
			}
			continue
		}
		for _, p := range pairs {
			_, value := syntax.Field(entry, p.Key)
			if (value != nil) != (p.Value != "") || value != nil && (value.Value != p.Value || p.Number != (value.ShortTag() == "!!int")) {
				return false
			}
		}
	}
	return true
}

// AddMapping makes the edits that put a mapping behind the entries of a list; there are none where it has it.
func (f *File) AddMapping(list string, entry *yaml.Node) (edits []text.Edit, reason string) {
	x := f.field(list)
	if x != nil && slices.ContainsFunc(x.value.Content, func(n *yaml.Node) bool { return equal.Trees(n, entry) }) {
		return nil, ""
	}
	lines, err := entryLines(entry)
	switch {
	case err != nil:
		return nil, unknownForm
	case x != nil && x.twice:
		return nil, twiceReason(list)
	case x != nil:
		var ok bool
		if edits, ok = f.extend(x, lines, false); !ok {
			return nil, "its " + list + " is not a plain list"
		}
	case !f.inBlock():
		return nil, unknownForm
	default:
		indent := 0
		if len(f.fields) > 0 {
			indent = f.column(f.fields[0].key)
		}
		head := f.newKey(f.root, list) + ":"
		edits = []text.Edit{f.appendLines(shift(append([]string{head}, shift(lines, f.dashIndent())...), indent))}
	}
	return f.checkedField(edits, list, true, func(after *yaml.Node) bool {
		return after != nil && len(after.Content) > 0 && equal.Trees(after.Content[len(after.Content)-1], entry)
	})
}

// entryLines writes a node as an element of a list with its dash at column 0.
func entryLines(entry *yaml.Node) ([]string, error) {
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(&yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{entry}}); err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), nil
}

// checkedField lets edits pass that change one field to what is wanted, no other one and, where all comments must
// stay, no comment.
func (f *File) checkedField(edits []text.Edit, name string, comments bool, isWanted func(value *yaml.Node) bool) ([]text.Edit, string) {
	after, reason := f.apply(edits)
	if reason != "" {
		return nil, reason
	}
	value := func(f *File, name string) *yaml.Node {
		if x := f.field(name); x != nil {
			return x.value
		}
		return nil
	}
	for _, x := range after.fields {
		if x.name != name && (f.field(x.name) == nil || !equal.Trees(x.value, value(f, x.name))) {
			return nil, unknownForm
		}
	}
	if !isWanted(value(after, name)) || comments && !sameComments(f, after) {
		return nil, unknownForm
	}
	return edits, ""
}

// Trial is what a change does to what is rendered.
type Trial struct {
	// Broken is a root that would not build any more, and did; empty for none.
	Broken string
	// Changed is true where a root renders something else.
	Changed bool
}

// Try renders what includes a kustomization file, and the kustomization itself, with the file as it is and as it would be.
func (x *Fixer) Try(ctx context.Context, dir, path string, after []byte) (trial Trial, err error) {
	changed := x.session.Derive(x.session.Files().With(path, after))
	for _, root := range x.tree.Roots(realPath(x.session.Files(), dir)) {
		was, err := x.render(ctx, root)
		if err != nil {
			return trial, err
		}
		is, err := renderRoot(ctx, changed, root, x.Options(root))
		if err != nil {
			return trial, err
		}
		if was.undecided == "" && is.undecided == doesNotBuild {
			return Trial{Broken: root}, nil
		}
		trial.Changed = trial.Changed || was.undecided != is.undecided || !bytes.Equal(was.output, is.output)
	}
	return trial, nil
}

const doesNotBuild = "does not build"
