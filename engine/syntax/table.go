package syntax

import (
	"sync"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Table is the registry of all texts that one build or snapshot reads: it
// gives each its FileID and finds it again. Texts are never removed or
// changed. A Table may be used from several goroutines.
type Table struct {
	mutex   sync.RWMutex
	sources []*Source // the FileID is the index plus one
}

// NewTable returns an empty registry.
func NewTable() *Table { return &Table{} }

// Add registers the text of a file. The text must not change afterwards.
func (t *Table) Add(path string, content []byte) text.FileID {
	return t.add(&Source{path: path, content: content})
}

// AddEmbedded registers a document that is held in a string. The host is the
// scalar node that the string was read from, value what it was read as. A host
// without a place gives a text that cannot be mapped to a file.
func (t *Table) AddEmbedded(host *yaml.Node, value string) text.FileID {
	path := ""
	if file, _, _ := Place(host); file != 0 {
		path = t.Source(file).Path()
	}
	return t.add(&Source{path: path, content: []byte(value), host: host})
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

	linesOnce sync.Once
	lines     *text.Lines

	mappingOnce sync.Once
	mapping     scalarMapping
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
