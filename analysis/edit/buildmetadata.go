package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

const buildMetadata = "buildMetadata"

// BuildMetadataOptions returns the options that kustomize v5.8.2 knows, in its
// order (types.BuildMetadataOptions).
func BuildMetadataOptions() []string {
	known, _ := kustomization.Fields().Field(buildMetadata)
	return slices.Clone(known.Enum)
}

// BuildMetadata returns the options that the file has.
func (f *File) BuildMetadata() []string {
	k, _ := f.read()
	var have []string
	for _, t := range k.BuildMetadata {
		have = append(have, t.Value)
	}
	return have
}

// AddBuildMetadata makes the edits that add options which the file does not have
// yet; there are none where it has them all. A missing field goes to the end, as
// with kustomize edit (kustfile.kustomizationFile.marshal). The reason says why the
// file cannot be edited.
func (f *File) AddBuildMetadata(options []string) (edits []text.Edit, reason string) {
	have := f.BuildMetadata()
	var missing []string
	for _, option := range options {
		if !slices.Contains(have, option) && !slices.Contains(missing, option) {
			missing = append(missing, option)
		}
	}
	if len(missing) == 0 {
		return nil, ""
	}
	x := f.field(buildMetadata)
	switch {
	case x == nil:
		edits = f.appendField(buildMetadata, missing)
	case x.twice:
		return nil, twiceReason(buildMetadata)
	default:
		var ok bool
		if edits, ok = f.addEntries(x, missing); !ok {
			return nil, "its buildMetadata is not a plain list"
		}
	}
	return f.checkedBuildMetadata(edits, append(have, missing...), true)
}

// RemoveBuildMetadata makes the edits that remove options; there are none where the
// file has none of them. The field goes with its last option. A comment on the line
// of an option goes with it, others stay.
func (f *File) RemoveBuildMetadata(options []string) (edits []text.Edit, reason string) {
	have := f.BuildMetadata()
	left := slices.DeleteFunc(slices.Clone(have), func(o string) bool { return slices.Contains(options, o) })
	x := f.field(buildMetadata)
	switch {
	case x == nil || len(left) == len(have):
		return nil, ""
	case x.twice:
		return nil, twiceReason(buildMetadata)
	case shapeOf(x.value) != shapeBlock && shapeOf(x.value) != shapeBracket || len(x.value.Content) != len(have):
		return nil, "its buildMetadata is not a plain list"
	case len(left) == 0:
		edits = f.dropField(x)
	case isFlow(x.value):
		edits = f.dropFromBrackets(x.value, options)
	default:
		edits = f.dropLines(x.value, options)
	}
	return f.checkedBuildMetadata(edits, left, false)
}

// checkedBuildMetadata lets edits pass that change the options to those, nothing
// else and, where all comments must stay, no comment.
func (f *File) checkedBuildMetadata(edits []text.Edit, want []string, comments bool) ([]text.Edit, string) {
	after, reason := f.apply(edits)
	if reason != "" {
		return nil, reason
	}
	was, _ := f.read()
	is, _ := after.read()
	was.BuildMetadata, is.BuildMetadata = nil, nil
	if !same(was, is) || !slices.Equal(after.BuildMetadata(), want) || comments && !sameComments(f, after) {
		return nil, unknownForm
	}
	return edits, ""
}

const unknownForm = "it is written in a form that kls cannot rewrite"

func twiceReason(field string) string { return fmt.Sprintf("it has %s twice", field) }

// addEntries writes words behind the entries of a list, as those are written.
func (f *File) addEntries(x *field, words []string) ([]text.Edit, bool) {
	entries := x.value.Content
	dash := "- "
	if len(entries) > 0 {
		last := entries[len(entries)-1]
		words = slices.Clone(words)
		for i := range words {
			if !strings.HasPrefix(words[i], `"`) { // has quotes of its own
				words[i] = quotedAs(last, words[i])
			}
		}
		if gap := f.span(last).Start - f.dashBefore(last); !isFlow(x.value) && gap > 1 && f.lineAt(f.dashBefore(last)) == f.lineAt(f.span(last).Start) {
			dash = "-" + blank(gap-1)
		}
	}
	// Empty brackets are filled, since somebody chose them.
	if shapeOf(x.value) == shapeEmpty && x.value.Kind == yaml.SequenceNode || !f.inBlock() && shapeOf(x.value) == shapeEmpty {
		return []text.Edit{{Span: f.valueSpan(x), New: f.bracketed(words)}}, true
	}
	if shapeOf(x.value) == shapeBracket {
		return f.extendBrackets(x.value, prefixed("- ", words), false)
	}
	return f.extend(x, prefixed(dash, words), false)
}

// valueSpan is the span of a field's value.
func (f *File) valueSpan(x *field) text.Span {
	_, span := syntax.ValueSpan(f.table, x.value)
	return span
}

// bracketed writes a list in brackets, with quotes where the file's keys have them:
// it is JSON then.
func (f *File) bracketed(words []string) string {
	if f.root != nil && len(f.root.Content) > 0 {
		words = slices.Clone(words)
		for i := range words {
			words[i] = quotedAs(f.root.Content[0], words[i])
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

func prefixed(prefix string, words []string) []string {
	lines := make([]string, len(words))
	for i, word := range words {
		lines[i] = prefix + word
	}
	return lines
}

// appendField adds a field with a list of words behind all others.
func (f *File) appendField(name string, words []string) []text.Edit {
	if !f.inBlock() {
		return f.appendToBraces(f.newKey(f.root, name) + ": " + f.bracketed(words))
	}
	indent := 0
	if len(f.fields) > 0 {
		indent = f.column(f.fields[0].key)
	}
	lines := append([]string{f.newKey(f.root, name) + ":"}, prefixed(blank(f.dashIndent())+"- ", words)...)
	return []text.Edit{f.appendLines(shift(lines, indent))}
}

// appendToBraces adds an entry to the root, which is a mapping in braces.
func (f *File) appendToBraces(entry string) []text.Edit {
	if len(f.root.Content) == 0 {
		return []text.Edit{{Span: f.span(f.root), New: "{" + entry + "}"}}
	}
	at := f.span(f.root.Content[len(f.root.Content)-1]).End
	return []text.Edit{{Span: text.Span{Start: at, End: at}, New: f.separator(f.root) + entry}}
}

// appendLines puts lines behind the last line of the first document that is not
// blank, or that belongs to a scalar.
func (f *File) appendLines(lines []string) text.Edit {
	last := f.lineAt(max(0, f.end-1))
	end := 0
	if f.root != nil {
		end = f.lineAt(max(0, f.contentEnd(f.root)-1))
	}
	for last > end && (f.isBlank(last) || strings.HasPrefix(f.lineText(last), "...")) {
		last--
	}
	if last == 0 && f.isBlank(0) {
		return text.Edit{Span: text.Span{Start: f.lineStart(0), End: f.lineStart(0)}, New: strings.Join(lines, f.newline) + f.newline}
	}
	return f.insertLines(last, lines)
}

// contentEnd is the end of a node with the blank lines that belong to the block
// scalar in which it may end.
func (f *File) contentEnd(n *yaml.Node) int {
	for len(n.Content) > 0 && !isFlow(n) {
		n = n.Content[len(n.Content)-1]
	}
	_, inner := syntax.InnerSpan(f.table, n)
	return max(f.span(n).End, inner.End)
}

// dropField takes away a field, and leaves the comments that stand in its value on
// lines of their own.
func (f *File) dropField(x *field) []text.Edit {
	if !f.inBlock() {
		return []text.Edit{f.dropFromBraces(x)}
	}
	return f.removeWhere(x.line, x.last, func(line int) bool {
		return line == x.line || isFlow(x.value) || !f.isComment(line)
	})
}

// dropFromBraces takes an entry out of the root with one comma.
func (f *File) dropFromBraces(x *field) text.Edit {
	i := slices.Index(f.root.Content, x.key)
	return text.Edit{Span: f.withComma(f.root, i, i+1)}
}

// withComma returns the span of some neighbours in brackets or braces with the
// comma before them, or after them where they are the first.
func (f *File) withComma(list *yaml.Node, first, last int) text.Span {
	span := text.Span{Start: f.span(list.Content[first]).Start, End: f.span(list.Content[last]).End}
	switch {
	case first > 0:
		span.Start = f.span(list.Content[first-1]).End
	case last+1 < len(list.Content):
		span.End = f.span(list.Content[last+1]).Start
	}
	return span
}

// dropFromBrackets takes words out of a list in brackets, where some stay.
func (f *File) dropFromBrackets(list *yaml.Node, words []string) []text.Edit {
	var edits []text.Edit
	kept := false
	for i, n := range list.Content {
		switch {
		case !slices.Contains(words, n.Value):
			kept = true
		case kept:
			edits = append(edits, text.Edit{Span: f.withComma(list, i, i)})
		default:
			end := f.span(list.Content[i+1]).Start
			edits = append(edits, text.Edit{Span: text.Span{Start: f.span(n).Start, End: end}})
		}
	}
	return edits
}

// dropLines takes the lines of words out of a block list.
func (f *File) dropLines(list *yaml.Node, words []string) []text.Edit {
	doomed := map[int]bool{}
	first, last := f.lineAt(f.span(list).Start), f.lastLine(list)
	for _, n := range list.Content {
		if slices.Contains(words, n.Value) {
			for line := f.lineAt(f.dashBefore(n)); line <= f.lastLine(n); line++ {
				doomed[line] = true
			}
		}
	}
	return f.removeWhere(first, last, func(line int) bool { return doomed[line] })
}
