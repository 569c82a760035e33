package fieldpath

import (
	"bytes"
	"io"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// textOf is a node for a reader: the text of a scalar, YAML of the rest.
func (r *recorder) textOf(n *yaml.Node) string {
	switch {
	case r == nil:
		return ""
	case n.Kind == yaml.ScalarNode:
		return n.Value
	}
	value, _ := matchText(n)
	return value
}

// unwritten records a node that was found in a copy.
func (r *recorder) unwritten(w *writer, f found) {
	if r == nil {
		return
	}
	effect := Effect{Node: f.node, Document: f.document, Created: f.created, Before: r.textOf(f.node)}
	effect.After = effect.Before
	effect.Unwritten = w.reasonFor(f)
	if effect.Unwritten == ValueDoesNotFit && w.value.Kind != yaml.ScalarNode {
		effect.Unwritten = CollectionDoesNotFit
	}
	r.effects = append(r.effects, effect)
}

// written records a node after it was set.
func (r *recorder) written(w *writer, f found, before string) {
	if r == nil {
		return
	}
	effect := Effect{Node: f.node, Document: f.document, Created: f.created, Before: before, After: r.textOf(f.node)}
	switch {
	case f.hidden:
		effect.Unwritten = CreatedUnderNull
	case f.detached:
		effect.Unwritten, effect.Damaged = DetachedByBlank, EmptiedByBlank
	default:
		effect.Damaged = damageOf(w, f, effect)
	}
	r.effects = append(r.effects, effect)
}

func damageOf(w *writer, f found, effect Effect) (damage Damage) {
	if f.ignored {
		damage |= RestOfPathIgnored
	}
	if f.node.Kind != yaml.ScalarNode {
		return damage
	}
	if w.value.Kind != yaml.ScalarNode {
		return damage | EmptiedByCollection
	}
	inJSON := f.document != nil && f.document.Format == JSON
	if effect.Before != effect.After && !inJSON && !fitsTag(f.node) {
		damage |= TagMismatch
	}
	if f.document != nil && !inJSON && becomesBoolean(f.node) && !isYAML11Boolean(effect.Before) {
		damage |= BecomesBoolean
	}
	return damage
}

// becomesBoolean tells whether a scalar is text that is written without quotes and is
// a boolean in YAML 1.1. yaml.v3, which writes it, goes by YAML 1.2.
func becomesBoolean(n *yaml.Node) bool {
	plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	return plain && n.ShortTag() == "!!str" && isYAML11Boolean(n.Value)
}

func isYAML11Boolean(value string) bool {
	switch strings.ToLower(value) {
	case "yes", "no", "on", "off":
		return true
	}
	return false
}

// fitsTag tells whether the text of a scalar still reads as its tag says. Only
// for the tags that yaml.v3 gives to plain scalars: it writes all others out.
func fitsTag(n *yaml.Node) bool {
	switch n.Tag {
	case "!!int", "!!float", "!!bool", nullTag, "!!timestamp":
		plain := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
		return plain.ShortTag() == n.Tag || n.Style&yaml.TaggedStyle != 0
	}
	return true
}

// reasonFor says why nothing is written to a node that was found in a copy.
func (w *writer) reasonFor(f found) Unwritten {
	switch {
	case f.document.Parent != nil:
		return DocumentInDocument
	case w.inside != nil && w.inside.Host == f.document.Host:
		return whyUnserialisable(w.inside.Root)
	}
	reason := UnreachedDocument
	for _, segment := range w.path.Segments[:f.document.Segment] {
		switch {
		case segment.Kind == Wildcard:
			return WildcardBeforeDocument
		case segment.Kind == Element:
			reason = PatternBeforeDocument
		}
	}
	return reason
}

func whyUnserialisable(root *yaml.Node) Unwritten {
	reason := NotSerialisable
	visit(root, func(n *yaml.Node) {
		switch {
		case n.Kind == yaml.MappingNode && hasDuplicateKeys(n):
			reason = DuplicateKeys
		case n.Kind == yaml.ScalarNode && !fitsTag(n) && reason != DuplicateKeys:
			reason = ValueDoesNotFit
		}
	})
	return reason
}

func hasDuplicateKeys(n *yaml.Node) bool {
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if seen[n.Content[i].Value] {
			return true
		}
		seen[n.Content[i].Value] = true
	}
	return false
}

// visit calls f for a node and all below it; aliases are not followed.
func visit(n *yaml.Node, f func(*yaml.Node)) {
	f(n)
	for _, child := range n.Content {
		visit(child, f)
	}
}

// stored records what writing a document back did to the rest of it.
func (r *recorder) stored(document *Document, memory *Memory) {
	if r == nil {
		return
	}
	rest := memory.verdict(document, judgeRest)
	document.Reformatted = rest.reformatted
	document.Damaged |= rest.damaged
	if document.Format == JSON {
		document.Damaged |= damageAsJSON(document.Root)
	}
}

// judgeRest says what follows from a document's texts alone.
func judgeRest(document *Document) (v verdict) {
	v.reformatted = reformattingOf(document)
	if hasLaterDocuments(document.Before) {
		v.damaged = LaterDocumentsLost
	}
	return v
}

// hasLaterDocuments tells whether more than blanks and comments follow the
// first document.
func hasLaterDocuments(value string) (more bool) {
	defer func() {
		if recover() != nil {
			more = true
		}
	}()
	decoder := yaml.NewDecoder(strings.NewReader(value))
	var first, second yaml.Node
	if decoder.Decode(&first) != nil {
		return false
	}
	err := decoder.Decode(&second)
	if err != nil {
		return err != io.EOF
	}
	return second.Kind != 0 && under(&second).Tag != nullTag
}

// damageAsJSON tells what a document loses on the way through Go's values.
func damageAsJSON(root *yaml.Node) (damage Damage) {
	visit(root, func(n *yaml.Node) {
		switch {
		case n.Kind == yaml.AliasNode:
			damage |= AliasesExpanded
		case n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!int" || n.ShortTag() == "!!float"):
			if after, ok := asJSON(n); ok && !sameNumber(n.Value, string(bytes.TrimSpace(after))) {
				damage |= PrecisionLost
			}
		}
	})
	return damage
}
