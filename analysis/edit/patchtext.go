package edit

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// PatchEntry is an entry of patches, patchesJson6902 or patchesStrategicMerge that
// either has its patch as text or names a file.
type PatchEntry struct {
	// Field is the list that it is in.
	Field string
	// Text is the patch itself, empty where Path names its file.
	Text, Path string
	// Target is nil where there is none, as in all of patchesStrategicMerge.
	Target *kustomization.Selector
	// Changes is true where the patch may change names or kinds.
	Changes bool
	// Span is the entry in bytes of the file, without its dash.
	Span text.Span

	file *File
	// key is the key patch or path, nil in patchesStrategicMerge; value the patch
	// or the path.
	key, value *yaml.Node
	node       *yaml.Node
}

// PatchAt returns the entry that an offset of the file is in, nil for none and for one
// that says both or neither.
func (f *File) PatchAt(offset int) *PatchEntry {
	for _, p := range f.PatchEntries() {
		start := p.Span.Start
		if x := f.field(p.Field); x != nil && shapeOf(x.value) == shapeBlock {
			start = f.dashBefore(p.node)
		}
		if start <= offset && (offset <= p.Span.End || offset < f.contentEnd(p.node)) {
			return p
		}
	}
	return nil
}

// PatchEntries returns the entries that have a patch or name one, in the order of the
// file.
func (f *File) PatchEntries() []*PatchEntry {
	k, _ := f.read()
	var entries []*PatchEntry
	add := func(p *PatchEntry) {
		if p.node == nil || p.value == nil || p.node.Kind == yaml.AliasNode || p.value.Kind != yaml.ScalarNode || p.value.Anchor != "" {
			return
		}
		p.file, p.Span = f, f.span(p.node)
		entries = append(entries, p)
	}
	for _, list := range []struct {
		field   string
		patches []kustomization.Patch
	}{{"patches", k.Patches}, {"patchesJson6902", k.PatchesJSON6902}} {
		for _, p := range list.patches {
			entry := &PatchEntry{Field: list.field, Target: p.Target, node: p.Node,
				Changes: p.Options.AllowKindChange || p.Options.AllowNameChange}
			switch inline := strings.TrimSpace(p.Patch.Value) != ""; {
			case inline && p.Path.Value == "":
				entry.Text = p.Patch.Value
				entry.key, entry.value = kustomization.FieldNode(p.Node, "patch")
			case !inline && p.Path.Value != "":
				entry.Path = p.Path.Value
				entry.key, entry.value = kustomization.FieldNode(p.Node, "path")
			}
			add(entry)
		}
	}
	for _, t := range k.PatchesStrategicMerge {
		entry := &PatchEntry{Field: "patchesStrategicMerge", node: t.Node, value: t.Node}
		if isPatchText(t.Value) {
			entry.Text = t.Value
		} else {
			entry.Path = t.Value
		}
		add(entry)
	}
	return entries
}

const inBraces = "the entry is written in braces or brackets"

// Extract makes the edits by which the entry names a file in place of its text, and
// the text of that file. The path is relative to the kustomization, with slashes.
func (p *PatchEntry) Extract(path string) (edits []text.Edit, content, reason string) {
	content = p.Text
	if p.key != nil { // kustomize trims it, but not what stands in a file
		content = strings.TrimRightFunc(strings.TrimLeft(content, "\n"), unicode.IsSpace)
		if strings.TrimLeft(content, " \t") != content {
			return nil, "", "its first line is indented"
		}
	}
	if !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	edits, reason = p.checked(p.replaced("path", scalar.Write(path, 0, true)))
	return edits, strings.ReplaceAll(content, "\n", p.file.newline), reason
}

// Inline makes the edits by which the entry has a text in place of the name of its
// file.
func (p *PatchEntry) Inline(content []byte) (edits []text.Edit, reason string) {
	lines, reason := blockLines(content)
	switch {
	case reason != "":
		return nil, reason
	case !p.inBlock() || p.file.lineAt(p.file.span(p.value).Start) != p.file.lineAt(p.file.span(p.value).End):
		return nil, inBraces
	}
	at := p.value
	if p.key != nil {
		at = p.key
	}
	indent := p.file.column(at)
	if p.key != nil {
		indent += 2
	}
	edits = p.replaced("patch", p.header(content, lines))
	line := p.file.lineAt(p.file.span(p.value).Start)
	edits = append(edits, p.file.insertLines(line, shift(lines, indent)))
	return p.checked(edits)
}

// SetText makes the edits that give the entry another text in place of the one it has.
func (p *PatchEntry) SetText(content string) (edits []text.Edit, reason string) {
	lines, reason := blockLines([]byte(content))
	switch {
	case reason != "":
		return nil, reason
	case !p.inBlock():
		return nil, inBraces
	}
	f, span := p.file, p.file.span(p.value)
	indent := f.column(p.value)
	if p.key != nil {
		indent = f.column(p.key) + 2
	}
	header := p.header([]byte(content), lines)
	first, last := f.lineAt(span.Start), f.lineAt(max(span.Start, f.contentEnd(p.value)-1))
	if p.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		last = f.lineAt(max(span.Start, span.End-1))
		if rest := f.text[span.End:f.lines.LineSpan(last).End]; len(bytes.TrimSpace(rest)) > 0 {
			return nil, "something follows it on its line"
		}
	}
	comment := ""
	if found := f.commentsIn(first, first); len(found) > 0 {
		comment = " " + found[len(found)-1]
	}
	written := header + comment + f.newline + strings.Join(shift(lines, indent), f.newline)
	edits = []text.Edit{{Span: text.Span{Start: span.Start, End: f.lines.LineSpan(last).End}, New: written}}
	return p.checked(edits)
}

// AddTarget makes the edits that put a target behind the patch of an entry without
// one. Lines are those of the target's fields.
func (p *PatchEntry) AddTarget(fields []string) (edits []text.Edit, reason string) {
	switch {
	case p.Target != nil:
		return nil, ""
	case p.key == nil:
		return nil, p.Field + " takes no target: replace it with patches first"
	case !p.inBlock():
		return nil, inBraces
	}
	f := p.file
	lines := append([]string{"target:"}, prefixed("  ", fields)...)
	// In front of the key, so that the dash, if the key stands behind it, comes first.
	lines = shift(lines, f.column(p.key))
	start := f.span(p.key).Start
	lines[0] = strings.TrimLeft(lines[0], " ")
	return []text.Edit{{Span: text.Span{Start: start, End: start}, New: strings.Join(lines, f.newline) + f.newline + blank(f.column(p.key))}}, ""
}

// inBlock tells whether what the entry has stands on lines of its own.
func (p *PatchEntry) inBlock() bool {
	if isFlow(p.node) && p.node.Kind == yaml.MappingNode {
		return false
	}
	x := p.file.field(p.Field)
	return p.file.inBlock() && x != nil && shapeOf(x.value) == shapeBlock
}

// replaced makes the edits that give the entry another key and value.
func (p *PatchEntry) replaced(key, value string) []text.Edit {
	f := p.file
	span := f.span(p.value)
	if p.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		// A comment may follow the header: it stays, and the lines below go.
		header := text.Span{Start: span.Start, End: span.Start + headerLength(f.text[span.Start:])}
		first, last := f.lineAt(span.Start), f.lineAt(max(span.Start, span.End-1))
		edits := []text.Edit{{Span: header, New: value}}
		if last > first {
			below := text.Span{Start: f.lines.LineSpan(first).End, End: f.lines.LineSpan(last).End}
			edits = append(edits, text.Edit{Span: below})
		}
		return p.withKey(edits, key)
	}
	return p.withKey([]text.Edit{{Span: span, New: value}}, key)
}

func (p *PatchEntry) withKey(edits []text.Edit, key string) []text.Edit {
	if p.key == nil {
		return edits
	}
	return append(edits, p.file.rename(p.key, key))
}

// headerLength is the length of a block scalar's indicators.
func headerLength(content []byte) int {
	n := 1
	for n < len(content) && strings.IndexByte("+-123456789", content[n]) >= 0 {
		n++
	}
	return n
}

// checked lets edits pass after which the file is read, with all its comments.
func (p *PatchEntry) checked(edits []text.Edit) ([]text.Edit, string) {
	after, reason := p.file.apply(edits)
	if reason != "" {
		return nil, reason
	}
	if !sameComments(p.file, after) {
		return nil, "a comment in it would be lost"
	}
	return edits, ""
}

// header is that of a block scalar with the lines. patches take line breaks off the
// end of a patch; elsewhere they stay as they are.
func (p *PatchEntry) header(content []byte, lines []string) string {
	header := "|"
	if strings.HasPrefix(lines[0], " ") {
		header = "|2"
		if p.key == nil {
			header = "|" + string(rune('0'+p.file.column(p.value)-p.listColumn()))
		}
	}
	if p.key != nil || !bytes.HasSuffix(content, []byte("\n")) {
		header += "-"
	}
	return header
}

// listColumn is where the dashes of the entry's list stand.
func (p *PatchEntry) listColumn() int {
	start := p.file.dashBefore(p.node)
	return start - p.file.lineStart(p.file.lineAt(start))
}

// blockLines returns the lines of a text as a literal block scalar has them. The
// reason says what such a scalar cannot hold.
func blockLines(content []byte) (lines []string, reason string) {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	if !utf8.Valid(content) || bytes.ContainsFunc(content, isUnprintable) {
		return nil, "the file has characters that YAML cannot have in lines of text"
	}
	all := strings.TrimRight(string(content), "\n")
	if strings.TrimSpace(all) == "" {
		return nil, "the file is empty"
	}
	lines = strings.Split(all, "\n")
	if strings.TrimSpace(lines[0]) == "" {
		return nil, "the file begins with an empty line"
	}
	return lines, ""
}

// isUnprintable tells what yaml.v3 refuses, or reads as a line break.
func isUnprintable(r rune) bool {
	switch {
	case r == '\t', r == '\n':
		return false
	case r == '\r', r == 0x85, r == 0x2028, r == 0x2029, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF, r == 0x7F:
		return true
	}
	return r < 0x20 || r >= 0x80 && r < 0xA0 || r >= 0xD800 && r < 0xE000
}
