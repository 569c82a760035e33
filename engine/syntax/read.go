package syntax

import (
	"bytes"
	"io"
	"strings"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// ReadDocuments reads a text of resources as kustomize v5.8.2 does: the same
// documents are found, dropped, unwrapped and inlined, in the same order, with
// the same values (kyaml/kio/byteio_reader.go with AnchorsAweigh, then
// RNodesFromBytes in api/resource/factory.go). Aliases and merge keys are
// resolved. Unlike there, a mistake does not end the reading: it becomes a
// Problem, its document is left out, and the others are returned. The nodes
// are roots, not document nodes; every node carries its place.
func ReadDocuments(table *Table, id text.FileID) ([]*yaml.Node, []Problem) {
	r := &reader{table: table, file: id}
	source := table.Source(id)
	if source == nil {
		return nil, nil
	}
	if p, tooMany := table.checkSize(id, source.content); tooMany {
		return nil, []Problem{p}
	}
	if isUTF16(source.content) {
		r.report(UTF16Text, nil, text.Span{End: min(2, len(source.content))}, "", false)
	}
	nodes := r.inlineLists(r.dropInvalid(r.documents(source.content)))
	return nodes, r.problems
}

type reader struct {
	table    *Table
	file     text.FileID
	problems []Problem
	anchors  *deanchorer
	repaired int // bytes that were parsed for repairs
}

func (r *reader) report(kind ProblemKind, n *yaml.Node, span text.Span, detail string, refused bool) {
	r.problems = append(r.problems, Problem{kind, r.file, span, n, detail, refused})
}

func (r *reader) reportNode(kind ProblemKind, n *yaml.Node, detail string) {
	_, span := NodeSpan(r.table, n)
	r.report(kind, n, span, detail, kind != ExpansionLimit)
}

// documents does what kyaml's ByteReader.Read does.
func (r *reader) documents(content []byte) []*yaml.Node {
	pieces := r.split(content)
	r.anchors = r.table.newDeanchorer(r.reportNode)
	var out []*yaml.Node
	for i, parsed := range r.parseAll(pieces) {
		root := r.accept(pieces[i], parsed)
		if root == nil {
			continue
		}
		for _, n := range unwrap(root, len(pieces) == 1) {
			if n = r.anchors.resolve(n, parsed.found); n != nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// piece is a separator line, or the text between two of them.
type piece struct {
	content []byte // with LF line ends only
	start   int    // byte offset in the text as it is on disk
	end     int    // the same
	line    int    // how many lines yaml.v3 would count before it
}

// split cuts at every match of \n---.*\n, as kyaml's splitDocuments does. The
// separator takes the line breaks on both of its sides, so that of two
// separators in a row the second begins the next piece; every piece but the
// last gets its line break back.
func (r *reader) split(content []byte) []piece {
	normal := lineFeeds(content)
	var pieces, separators []piece
	start, line := 0, 0
	for start <= len(normal) {
		at, end := nextSeparator(normal, start)
		if at < 0 {
			pieces = append(pieces, piece{normal[start:], start, len(normal), line})
			break
		}
		pieces = append(pieces, piece{normal[start : at+1], start, at + 1, line})
		separators = append(separators, piece{normal[at+1 : end-1], at + 1, end - 1, line})
		line += text.CountMarkLines(normal[start:end])
		start = end
	}
	if len(normal) != len(content) {
		restoreOffsets(pieces, content)
		restoreOffsets(separators, content)
	}
	r.checkSeparators(separators)
	return pieces
}

// nextSeparator returns the offset of the line break before the next separator
// and that after the one which ends it; -1 where there is none.
func nextSeparator(content []byte, from int) (at, end int) {
	at = bytes.Index(content[from:], []byte("\n---"))
	if at < 0 {
		return -1, 0
	}
	at += from
	length := bytes.IndexByte(content[at+1:], '\n')
	if length < 0 {
		return -1, 0
	}
	return at, at + 1 + length + 1
}

func (r *reader) checkSeparators(separators []piece) {
	for _, s := range separators {
		rest := bytes.TrimSpace(s.content[len("---"):])
		if len(rest) > 0 && rest[0] != '#' {
			r.report(InvalidSeparator, nil, text.Span{Start: s.start, End: s.end}, string(rest), true)
		}
	}
}

// lineFeeds replaces CR LF by LF, as kyaml does before it splits.
func lineFeeds(content []byte) []byte {
	if bytes.IndexByte(content, '\r') < 0 {
		return content
	}
	return bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
}

// restoreOffsets turns the pieces' offsets in the text without CR LF into
// offsets in the text as it is.
func restoreOffsets(pieces []piece, content []byte) {
	original, normal := 0, 0
	forward := func(offset *int) {
		for normal < *offset {
			if bytes.HasPrefix(content[original:], []byte("\r\n")) {
				original++
			}
			original++
			normal++
		}
		*offset = original
	}
	for i := range pieces {
		forward(&pieces[i].start)
		forward(&pieces[i].end)
	}
}

// parsedPiece is the first document of a piece, or why there is none.
type parsedPiece struct {
	root    *yaml.Node
	found   oddities
	problem *SyntaxError
	rest    bool // the piece holds more than that document
}

// parseAll parses pieces, which have nothing to do with each other, on all
// processors where there are enough of them.
func (r *reader) parseAll(pieces []piece) []parsedPiece {
	const batch = 64
	parsed := make([]parsedPiece, len(pieces))
	parallel.Each(len(pieces), batch, func(first, end int) {
		for i := first; i < end; i++ {
			parsed[i] = r.parsePiece(pieces[i])
		}
	})
	return parsed
}

func (r *reader) parsePiece(p piece) parsedPiece {
	document, problem, rest := decodeFirst(p.content)
	if document == nil {
		return parsedPiece{problem: problem}
	}
	pl := placer{file: r.file, lines: p.line}
	if p.start > 0 && bytes.HasPrefix(p.content, []byte(byteOrderMark)) {
		pl.firstLineColumns = 1
	}
	root := document.Content[0]
	pl.place(root)
	return parsedPiece{root: root, found: pl.found, rest: rest}
}

// accept reports what is wrong with a piece and returns its root, nil where
// there is none or where it is null.
func (r *reader) accept(p piece, parsed parsedPiece) *yaml.Node {
	if parsed.problem != nil {
		r.reportMalformed(p, parsed.problem)
	}
	if parsed.rest {
		r.problems = append(r.problems, ignored(r.table, r.table.Source(r.file), parsed.root, p.end))
	}
	if parsed.root == nil || parsed.root.Tag == nullTag {
		return nil
	}
	return parsed.root
}

// ignored marks the first line with content between a root and the offset.
func ignored(table *Table, source *Source, root *yaml.Node, end int) Problem {
	file, span := NodeSpan(table, root)
	for at := span.End; at < end; at = span.End + 1 {
		span = text.Span{Start: at, End: lineEnd(source.content[:end], at)}
		line := bytes.TrimSpace(source.content[span.Start:span.End])
		if len(line) > 0 && line[0] != '#' && marker(line) == 0 {
			span.Start += bytes.Index(source.content[span.Start:], line)
			return Problem{Kind: IgnoredDocument, File: file, Span: text.Span{Start: span.Start, End: span.Start + len(line)}}
		}
	}
	return Problem{Kind: IgnoredDocument, File: file, Span: span}
}

// reportMalformed finds the mistakes that kustomize does not name.
func (r *reader) reportMalformed(p piece, err *SyntaxError) {
	content := r.table.Source(r.file).content
	if isUTF16(content) {
		r.report(err.Kind, nil, text.Span{}, err.Message, true)
		return
	}
	for _, found := range repair(content[p.start:p.end], err, &r.repaired).problems {
		found.Span.Start += p.start
		found.Span.End += p.start
		r.report(found.Kind, nil, found.Span, found.Detail, true)
	}
}

const (
	nullTag       = "!!null"
	mergeTag      = "!!merge"
	byteOrderMark = "\xef\xbb\xbf"
)

func isUTF16(content []byte) bool {
	return bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff"))
}

// decode parses the first document only, so that what follows it cannot fail.
// It returns nil where there is no document.
func decode(content []byte) (*yaml.Node, *SyntaxError) {
	document, problem, _ := decodeFirst(content)
	return document, problem
}

// decodeFirst also tells whether anything but comments and empty documents
// follows the first document, be it readable or not.
func decodeFirst(content []byte) (document *yaml.Node, problem *SyntaxError, rest bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	document, problem = decodeNext(decoder)
	if document == nil {
		return nil, problem, false
	}
	next, problem := decodeNext(decoder)
	for next != nil && next.Content[0].Tag == nullTag {
		next, problem = decodeNext(decoder)
	}
	return document, nil, next != nil || problem != nil
}

// decodeNext returns nil at the end of the text. yaml.v3 panics with a few
// malformed texts; that is reported like any other mistake.
func decodeNext(decoder *yaml.Decoder) (document *yaml.Node, problem *SyntaxError) {
	defer func() {
		if recover() != nil {
			document, problem = nil, &SyntaxError{Kind: Malformed, Message: "the YAML parser cannot read this"}
		}
	}()
	var n yaml.Node
	err := decoder.Decode(&n)
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, newSyntaxError(err)
	}
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 {
		return nil, nil
	}
	return &n, nil
}

// placer makes one pass over a fresh tree: every node gets its place, anchors
// are taken off, and what needs more work is noted.
type placer struct {
	file             text.FileID
	lines            int // to add to each line
	firstLineColumns int // to add to each column of the first line
	keepAnchors      bool
	found            oddities
}

// oddities are what resolving aliases would have to do in a tree.
type oddities struct {
	aliases bool // or merge keys, or keys that kyaml's mergeAll trips over
}

func (p *placer) place(n *yaml.Node) {
	if n.Line == 1 {
		n.Column += p.firstLineColumns
	}
	SetPlace(n, p.file, n.Line+p.lines, n.Column)
	if !p.keepAnchors {
		n.Anchor = ""
	}
	switch n.Kind {
	case yaml.AliasNode:
		p.found.aliases = true
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			if isOddKey(n.Content[i]) {
				p.found.aliases = true
			}
		}
	}
	for _, child := range n.Content {
		p.place(child)
	}
}

// unwrap returns the items of a List or ResourceList that is alone in its
// text, else the node itself. An items that is an alias or null gives nothing,
// and that of a map gives its keys and values, as in kyaml, which does this
// before it resolves aliases.
func unwrap(root *yaml.Node, alone bool) []*yaml.Node {
	if !alone {
		return []*yaml.Node{root}
	}
	kind, ok := metadataOf(root)
	if !ok || kind.kind != "ResourceList" && kind.kind != "List" {
		return []*yaml.Node{root}
	}
	_, items := Field(root, "items")
	if _, config := Field(root, "functionConfig"); items == nil && config == nil {
		return []*yaml.Node{root}
	}
	if items == nil {
		return nil
	}
	return items.Content
}

// dropInvalid does what dropBadNodes does in kustomize's resource factory.
func (r *reader) dropInvalid(nodes []*yaml.Node) []*yaml.Node {
	out := nodes[:0]
	for _, n := range nodes {
		if !isEmptyNode(n) && r.checkMetadata(n) {
			out = append(out, n)
		}
	}
	return out
}

func (r *reader) checkMetadata(n *yaml.Node) bool {
	meta, ok := metadataOf(n)
	switch {
	case !ok:
		r.reportNode(NotAnObject, n, "")
	case meta.kind == "":
		r.reportNode(MissingKind, n, "")
	case !strings.HasSuffix(meta.kind, "List") && meta.name == "":
		r.reportNode(MissingName, n, "")
	default:
		return true
	}
	return false
}

type metadata struct {
	kind, name string
}

// metadataOf is kyaml's RNode.GetMeta; false is its ErrMissingMetadata. Only a
// name and kind are kept, but labels alone also count as metadata.
func metadataOf(n *yaml.Node) (metadata, bool) {
	var m metadata
	found := false
	if _, value := Field(n, "apiVersion"); !isEmptyNode(value) {
		found = true
	}
	if _, value := Field(n, "kind"); !isEmptyNode(value) {
		m.kind, found = value.Value, true
	}
	_, meta := Field(n, "metadata")
	if isEmptyNode(meta) {
		return m, found
	}
	for _, name := range []string{"name", "namespace", "labels", "annotations"} {
		_, value := Field(meta, name)
		if isEmptyNode(value) {
			continue
		}
		found = true
		if name == "name" {
			m.name = value.Value
		}
	}
	return m, found
}

// isEmptyNode is kyaml's IsYNodeNilOrEmpty.
func isEmptyNode(n *yaml.Node) bool {
	if n == nil || n.Tag == nullTag {
		return true
	}
	collection := n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode
	return collection && len(n.Content) == 0
}
