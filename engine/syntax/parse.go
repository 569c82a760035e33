package syntax

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// File is a text read tolerantly: what is broken is reported and left out, the
// rest is there.
type File struct {
	ID        text.FileID
	Documents []*Document
	Problems  []Problem // syntax errors

	repaired int // bytes that were parsed for repairs
}

// Document is one document of a file.
type Document struct {
	// Root is the content; nil where there is none. Every node carries its
	// place. Aliases and anchors are kept: see ResolveAliases.
	Root *yaml.Node
	// Span is the text from its --- to the next, in bytes.
	Span text.Span
	// Repaired says that Root is not all that the text says.
	Repaired bool

	file text.FileID
}

// Parse reads YAML or JSON for an editor: documents, syntax errors, and trees
// without what is broken. Unlike kustomize it takes for a separator what YAML
// takes for one, wherever it stands, and reads every document.
func Parse(table *Table, id text.FileID) *File {
	f := &File{ID: id}
	source := table.Source(id)
	if source == nil {
		return f
	}
	if p, tooMany := table.checkSize(id, source.content); tooMany {
		f.Problems = append(f.Problems, p)
		return f
	}
	if isUTF16(source.content) {
		span := text.Span{End: min(2, len(source.content))}
		f.Problems = append(f.Problems, Problem{Kind: UTF16Text, File: id, Span: span})
	}
	lines, counted := 0, 0
	for _, span := range documentSpans(source.content) {
		lines += text.CountMarkLines(source.content[counted:span.Start])
		counted = span.Start
		f.parseDocument(table, source, span, lines)
	}
	return f
}

// parseDocument reads one document that so many lines are before.
func (f *File) parseDocument(table *Table, source *Source, span text.Span, lines int) {
	content := source.content[span.Start:span.End]
	document, problem, rest := decodeFirst(lineFeeds(content))
	if rest && document.Content[0].Kind != yaml.MappingNode {
		problem = &SyntaxError{Kind: Malformed, Message: "something follows the end of the document"}
	}
	d := &Document{Span: span, file: f.ID}
	p := placer{file: f.ID, keepAnchors: true, lines: lines}
	if problem != nil {
		r := repair(content, problem, &f.repaired)
		document, d.Repaired = r.document, true
		for _, found := range r.problems {
			found.Span.Start += span.Start
			found.Span.End += span.Start
			found.File = f.ID
			f.Problems = append(f.Problems, found)
		}
	}
	if document != nil {
		d.Root = document.Content[0]
		if span.Start > 0 && bytes.HasPrefix(content, []byte(byteOrderMark)) {
			p.firstLineColumns = 1
		}
		p.place(d.Root)
	}
	if rest && problem == nil {
		f.Problems = append(f.Problems, ignored(table, source, d.Root, span.End))
	}
	f.Documents = append(f.Documents, d)
}

// documentSpans cuts before every line that begins with --- and after every
// line that begins with "...", each followed by a blank or nothing. A piece
// without content before the first cut is no document.
func documentSpans(content []byte) []text.Span {
	var spans []text.Span
	start := 0
	for at := 0; at < len(content); {
		end := lineEnd(content, at)
		next := min(end+1, len(content))
		switch marker(content[at:end]) {
		case '-':
			spans = appendDocument(spans, content, start, at)
			start = at
		case '.':
			spans = appendDocument(spans, content, start, next)
			start = next
		}
		at = next
	}
	return appendDocument(spans, content, start, len(content))
}

func appendDocument(spans []text.Span, content []byte, start, end int) []text.Span {
	if start == end || end-start < len(content) && isOnlyComments(content[start:end]) {
		return spans
	}
	return append(spans, text.Span{Start: start, End: end})
}

func isOnlyComments(content []byte) bool {
	for _, line := range bytes.Split(content, []byte{'\n'}) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}

// marker returns '-' for a line that starts a document, '.' for one that ends
// one, else zero.
func marker(line []byte) byte {
	if len(line) < 3 || line[0] != line[1] || line[1] != line[2] || line[0] != '-' && line[0] != '.' {
		return 0
	}
	if len(line) > 3 && !isBlank(line[3]) && line[3] != '\r' {
		return 0
	}
	return line[0]
}

// ResolveAliases returns a tree without aliases, anchors and merge keys, as
// ReadDocuments gives it. The tree it is called with must not be used after;
// nil is returned where aliases cannot be resolved.
func ResolveAliases(table *Table, root *yaml.Node) (*yaml.Node, []Problem) {
	if root == nil {
		return nil, nil
	}
	file, _, _ := Place(root)
	r := &reader{table: table, file: file}
	d := table.newDeanchorer(r.reportNode)
	return d.resolve(root, clearAnchors(root)), r.problems
}

func clearAnchors(n *yaml.Node) oddities {
	n.Anchor = ""
	found := oddities{aliases: n.Kind == yaml.AliasNode}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && isOddKey(child) || clearAnchors(child).aliases {
			found.aliases = true
		}
	}
	return found
}

// Duplicate is a key that its mapping has already.
type Duplicate struct {
	First, Again *yaml.Node
}

// DuplicateKeys returns every key of the tree that repeats an earlier one of
// its mapping, in the order of the text. yaml.v3 lets them pass into nodes;
// whoever decodes such a node is refused.
func DuplicateKeys(root *yaml.Node) []Duplicate {
	if root == nil {
		return nil
	}
	var found []Duplicate
	var seen map[string]*yaml.Node
	if root.Kind == yaml.MappingNode {
		seen = make(map[string]*yaml.Node, len(root.Content)/2)
	}
	for i, child := range root.Content {
		if seen != nil && i%2 == 0 && child.Kind == yaml.ScalarNode {
			if first := seen[child.Value]; first != nil {
				found = append(found, Duplicate{first, child})
			} else {
				seen[child.Value] = child
			}
		}
		found = append(found, DuplicateKeys(child)...)
	}
	return found
}

// sanitize replaces each character that YAML does not allow by a blank, which
// keeps lines and columns.
func sanitize(content []byte) []byte {
	out := make([]byte, 0, len(content))
	for i := 0; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && size == 1 || !isAllowed(r) {
			out = append(out, ' ')
		} else {
			out = append(out, content[i:i+size]...)
		}
		i += size
	}
	return out
}

func describeCharacter(content []byte, span text.Span) string {
	r, size := utf8.DecodeRune(content[span.Start:span.End])
	if r == utf8.RuneError && size <= 1 && span.Len() > 0 {
		return fmt.Sprintf("the byte 0x%02X is not UTF-8", content[span.Start])
	}
	return fmt.Sprintf("the control character U+%04X is not allowed", r)
}
