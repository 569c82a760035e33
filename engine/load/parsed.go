package load

import (
	"bytes"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Sources are the files of a snapshot, with what was parsed of them. They are safe for concurrent use.
type Sources struct {
	files *vfs.Snapshot
	table *syntax.Table
	Cache *parsed
}

func NewSources(files *vfs.Snapshot) *Sources {
	return &Sources{files: files, table: syntax.NewTable(), Cache: &parsed{}}
}

// Of returns the sources of another snapshot of the same files, which share what was parsed.
func (s *Sources) Of(files *vfs.Snapshot) *Sources {
	return &Sources{files: files, table: s.table, Cache: s.Cache}
}

// At returns the sources at a moment of a history of changes (syntax.Table.At).
func (s *Sources) At(history any, moment int) *Sources {
	return &Sources{files: s.files, table: s.table.At(history, moment), Cache: s.Cache}
}

// Table tells of the texts that the nodes of this session's results were read from.
func (s *Sources) Table() *syntax.Table { return s.table }

// Weight returns how many bytes of text this session and those that it shares the
// table with have registered, and aliases made of it: it grows with every version of a file.
func (s *Sources) Weight() int64 { return s.Cache.weight.Load() + nodeWeight*s.table.Expanded() }

// nodeWeight is about what a node takes.
const nodeWeight = 150

// Files returns the snapshot.
func (s *Sources) Files() *vfs.Snapshot { return s.files }

// parsed keeps what was parsed of each version of a file. A *vfs.File is one
// immutable content, so the pointer is the key.
type parsed struct {
	weight atomic.Int64 // bytes of text in the table
	trees  trees

	standardOnce parallel.Once
	standard     *kustomization.TransformerConfig

	mu        sync.Mutex
	ids       map[*vfs.File]text.FileID
	versions  map[string][]*vfs.File // the last ones of each path, the newest last
	places    map[embedding]text.FileID
	documents map[*vfs.File]*Documents
	embedded  map[*yaml.Node]*Documents

	kustomizations map[*vfs.File]*kustomizationFile
	inStrings      fieldpath.Memory     // of documents in strings
	remote         map[string]*vfs.File // by URL
	// Checkers has a *render.Checker for each that looks whether resources can be
	// printed: its memory is for all of them.
	Checkers sync.Pool
}

// standardConfig is kustomize's own transformer configuration as it is once it was
// merged into an empty one.
func (p *parsed) standardConfig() *kustomization.TransformerConfig {
	p.standardOnce.Do(func() {
		p.standard, _ = (&kustomization.TransformerConfig{}).Merge(kustomization.DefaultTransformerConfig())
	})
	return p.standard
}

// Documents are the resources of one text, and the mistakes in it.
type Documents struct {
	once     parallel.Once
	File     text.FileID
	Nodes    []*yaml.Node
	Problems []syntax.Problem

	// operations are the same text read as a JSON6902 patch, once that was wanted.
	operationsOnce parallel.Once
	operations     *Operations
}

// FileID returns the session's name for a file's text.
func (s *Sources) FileID(f *vfs.File) text.FileID {
	s.Cache.mu.Lock()
	defer s.Cache.mu.Unlock()
	if id, ok := s.Cache.ids[f]; ok {
		return id
	}
	if s.Cache.ids == nil {
		s.Cache.ids, s.Cache.versions = map[*vfs.File]text.FileID{}, map[string][]*vfs.File{}
	}
	id, added := text.FileID(0), true
	if before := s.Cache.versions[f.Path]; len(before) > 0 {
		id, added = s.table.AddVersion(s.Cache.ids[before[len(before)-1]], f.Data)
	} else {
		id = s.table.Add(f.Path, f.Data)
	}
	if added {
		s.Cache.weight.Add(int64(len(f.Data)))
	}
	s.Cache.ids[f] = id
	s.Cache.supersede(f)
	return id
}

// DocumentsOf returns the resources of a file; the nodes are the session's and
// must be copied before they are changed.
func (s *Sources) DocumentsOf(f *vfs.File) *Documents {
	s.Cache.mu.Lock()
	d, ok := s.Cache.documents[f]
	if !ok {
		d = &Documents{}
		if s.Cache.documents == nil {
			s.Cache.documents = map[*vfs.File]*Documents{}
		}
		s.Cache.documents[f] = d
	}
	s.Cache.mu.Unlock()
	d.once.Do(func() {
		d.File = s.FileID(f)
		d.Nodes, d.Problems = syntax.ReadDocuments(s.table, d.File)
	})
	return d
}

// keptVersions is how many versions of a file stay parsed: builds of the last but one
// may go on while the last one is there already.
const keptVersions = 2

// supersede forgets what was parsed of older versions of a file: who still looks at
// one parses it again. The caller holds the mutex.
func (p *parsed) supersede(f *vfs.File) {
	versions := append(p.versions[f.Path], f)
	if len(versions) > keptVersions {
		old := versions[0]
		versions = slices.Clone(versions[1:])
		id := p.ids[old]
		delete(p.documents, old)
		delete(p.kustomizations, old)
		maps.DeleteFunc(p.embedded, func(host *yaml.Node, _ *Documents) bool {
			file, _, _ := syntax.Place(host)
			return file == id
		})
	}
	p.versions[f.Path] = versions
}

// embedding is a text and where the scalar that holds it was written.
type embedding struct {
	line, column int
	text         string
}

// AddEmbedded registers the text of a document in a scalar, once for each place.
func (s *Sources) AddEmbedded(host *yaml.Node, value string) text.FileID {
	key := embedding{host.Line, host.Column, value}
	s.Cache.mu.Lock()
	defer s.Cache.mu.Unlock()
	if id, ok := s.Cache.places[key]; ok && host.Line != 0 {
		return id
	}
	s.Cache.weight.Add(int64(2*len(value) + sourceWeight))
	id := s.table.AddEmbedded(host, value)
	if s.Cache.places == nil {
		s.Cache.places = map[embedding]text.FileID{}
	}
	s.Cache.places[key] = id
	return id
}

// sourceWeight is about what the table takes for a text besides the text.
const sourceWeight = 512

// remoteFile returns a file for the contents of a URL: the one that it returned
// before, as long as they are the same.
func (s *Sources) remoteFile(url string, data []byte) *vfs.File {
	s.Cache.mu.Lock()
	defer s.Cache.mu.Unlock()
	if f, ok := s.Cache.remote[url]; ok && bytes.Equal(f.Data, data) {
		return f
	}
	if s.Cache.remote == nil {
		s.Cache.remote = map[string]*vfs.File{}
	}
	f := &vfs.File{Path: url, Data: data}
	s.Cache.remote[url] = f
	return f
}

// DocumentsIn returns the resources in a text that stands in a scalar.
func (s *Sources) DocumentsIn(host *yaml.Node, value string) *Documents {
	s.Cache.mu.Lock()
	d, ok := s.Cache.embedded[host]
	if !ok {
		d = &Documents{}
		if s.Cache.embedded == nil {
			s.Cache.embedded = map[*yaml.Node]*Documents{}
		}
		s.Cache.embedded[host] = d
	}
	s.Cache.mu.Unlock()
	d.once.Do(func() {
		d.File = s.AddEmbedded(host, value)
		d.Nodes, d.Problems = syntax.ReadDocuments(s.table, d.File)
	})
	return d
}

// WithLast returns the same documents with another last one.
func (d *Documents) WithLast(n *yaml.Node) *Documents {
	nodes := slices.Clone(d.Nodes)
	nodes[len(nodes)-1] = n
	return &Documents{File: d.File, Nodes: nodes, Problems: d.Problems}
}

// Refused tells whether kustomize would refuse the text.
func (d *Documents) Refused() bool {
	for _, p := range d.Problems {
		if problem.Refuses(p) {
			return true
		}
	}
	return false
}
