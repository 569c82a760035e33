package syntax

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Table is the registry of all texts that one build or snapshot reads: it
// gives each its FileID and finds it again. Texts are never removed or
// changed. A Table may be used from several goroutines.
type Table struct {
	*registry
	// moment is one of the history, see At; a table without a history knows of no
	// other versions of its texts.
	history any
	moment  int
}

// registry holds the texts of all tables that were made of one.
type registry struct {
	mutex   sync.RWMutex
	sources []*Source // the FileID is the index plus one

	values   atomic.Int64 // that a text may have; zero for the default
	expanded atomic.Int64 // nodes that aliases and merge keys added to the texts
}

// NewTable returns an empty registry.
func NewTable() *Table { return &Table{registry: &registry{}} }

// Add registers the text of a file. The text must not change afterwards.
func (t *Table) Add(path string, content []byte) text.FileID {
	return t.add(&Source{path: path, content: content})
}

// AddEmbedded registers a document that is held in a string. The host is the
// scalar node that the string was read from, value what it was read as. A host
// without a place gives a text that cannot be mapped to a file.
func (t *Table) AddEmbedded(host *yaml.Node, value string) text.FileID {
	path := ""
	file, _, _ := t.Place(host)
	if source := t.Source(file); source != nil {
		path = source.Path()
	}
	// The node itself would keep the whole tree in memory, and may be changed later.
	as := *host
	as.Content = nil
	return t.add(&Source{path: path, content: []byte(value), host: &as})
}

func (t *Table) add(s *Source) text.FileID {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.sources = append(t.sources, s)
	return text.FileID(len(t.sources))
}

// Source returns the text with the ID; nil for zero and for an ID that this
// table did not give out.
func (t *Table) Source(id text.FileID) *Source {
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	if id == 0 || int(id) > len(t.sources) {
		return nil
	}
	return t.sources[id-1]
}

// Source is one immutable text of a Table.
type Source struct {
	path    string
	content []byte
	host    *yaml.Node

	versions atomic.Pointer[versions] // nil where no other text of the same file is known

	linesOnce parallel.Once
	lines     *text.Lines

	mapping atomic.Pointer[hostedMapping]
}

// hostedMapping is the mapping of an embedded document to one version of its host.
type hostedMapping struct {
	scalarMapping
	file text.FileID
}

// Path returns the path of the file on disk: for an embedded document, that of
// the outermost host. It is empty where no file is known.
func (s *Source) Path() string { return s.path }

// Text returns the bytes, which the caller must not change.
func (s *Source) Text() []byte { return s.content }

// Host returns the scalar node that holds an embedded document, nil for a file.
func (s *Source) Host() *yaml.Node { return s.host }

// Lines returns the line index, made at the first call.
func (s *Source) Lines() *text.Lines {
	s.linesOnce.Do(func() { s.lines = text.NewLines(s.content) })
	return s.lines
}

// scalar returns how the bytes of an embedded document map to its host.
func (s *Source) scalar(t *Table) *scalarMapping {
	file, line, column := t.Place(s.host)
	if known := s.mapping.Load(); known != nil && known.file == file {
		return &known.scalarMapping
	}
	mapping := &hostedMapping{file: file}
	if host := t.Source(file); host != nil {
		at := host.Lines().MarkToOffset(line, column)
		scanned := scanScalar(host.content, valueStart(host.content, at), string(s.content))
		exact := string(scanned.value) == string(s.content)
		if rest, ok := bytes.CutPrefix(scanned.value, s.content); ok && !exact && len(bytes.Trim(rest, "\n")) == 0 {
			// kustomize takes line breaks off the end of some documents.
			scanned.cut(len(s.content))
			exact = true
		}
		if !exact && isRaw(host.content[at:], s.content) {
			// Not YAML, but a file that was read whole, or a line of an env file.
			span := text.Span{Start: at, End: at + len(s.content)}
			scanned.runs, scanned.outer, scanned.inner = []run{{0, span.Len(), at, span.Len(), true}}, span, span
			exact = true
		}
		mapping.scalarMapping = scalarMapping{scanned.runs, scanned.outer, scanned.inner, exact}
	}
	s.mapping.Store(mapping)
	return &mapping.scalarMapping
}

// isRaw tells whether a value is what a text begins with, up to the end of a line
// or of the text.
func isRaw(content, value []byte) bool {
	rest, ok := bytes.CutPrefix(content, value)
	return ok && (len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r' || bytes.HasSuffix(value, []byte("\n")))
}

// InValue returns a function that maps spans of a scalar's text to the file on
// disk that it was written in, as Resolve does for a document that is registered.
func (t *Table) InValue(n *yaml.Node) func(text.Span) (file text.FileID, path string, span text.Span) {
	source := &Source{content: []byte(n.Value), host: n}
	return func(span text.Span) (text.FileID, string, text.Span) {
		id, _, _ := t.Place(n)
		if t.Source(id) == nil {
			return 0, "", text.Span{}
		}
		return t.Resolve(id, source.scalar(t).toHost(span))
	}
}

// WrittenText returns what the scalar that stands at the place of a node reads as,
// which is not the node's text where a build changed that. Of a text that a node
// begins, other than a document of YAML, it is the whole. False means that the node
// has no place.
func (t *Table) WrittenText(n *yaml.Node) (string, bool) {
	file, line, column := t.Place(n)
	host := t.Source(file)
	switch {
	case host == nil || n.Kind != yaml.ScalarNode:
		return "", false
	case line == 1 && column == 1:
		return string(host.content), true
	}
	at := host.Lines().MarkToOffset(line, column)
	if isRaw(host.content[at:], []byte(n.Value)) {
		return n.Value, true
	}
	return string(scanScalar(host.content, valueStart(host.content, at), n.Value).value), true
}

// Resolve maps a span of a text to the file on disk that it was written in, up
// through all documents that it is embedded in: every byte of a value to the
// bytes it was written as. Where the string no longer is what stands at its
// place, the span is that of the whole scalar. The ID is zero if no file is
// known.
func (t *Table) Resolve(id text.FileID, span text.Span) (root text.FileID, path string, rootSpan text.Span) {
	for {
		source := t.Source(id)
		if source == nil {
			return 0, "", text.Span{}
		}
		if source.host == nil {
			return id, source.path, span
		}
		span = source.scalar(t).toHost(span)
		id, _, _ = t.Place(source.host)
	}
}

// EmbeddedOffset is the way back: it maps a byte offset of the file that the
// embedded document stands in, at whatever depth, to an offset of the document.
// False means that the offset lies outside of its scalar.
func (t *Table) EmbeddedOffset(id text.FileID, rootOffset int) (offset int, ok bool) {
	source := t.Source(id)
	if source == nil {
		return 0, false
	}
	if source.host == nil {
		return rootOffset, rootOffset >= 0 && rootOffset <= len(source.content)
	}
	file, _, _ := t.Place(source.host)
	hostOffset, ok := t.EmbeddedOffset(file, rootOffset)
	if !ok {
		return 0, false
	}
	return source.scalar(t).fromHost(hostOffset)
}
