package builder

import (
	"bytes"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// sources are the files of a snapshot, with what was parsed of them. They are safe for concurrent use.
type sources struct {
	files *vfs.Snapshot
	table *syntax.Table
	cache *parsed
}

func newSources(files *vfs.Snapshot) *sources {
	return &sources{files: files, table: syntax.NewTable(), cache: &parsed{}}
}

// of returns the sources of another snapshot of the same files, which share what was parsed.
func (s *sources) of(files *vfs.Snapshot) *sources {
	return &sources{files: files, table: s.table, cache: s.cache}
}

// at returns the sources at a moment of a history of changes (syntax.Table.At).
func (s *sources) at(history any, moment int) *sources {
	return &sources{files: s.files, table: s.table.At(history, moment), cache: s.cache}
}

// Table tells of the texts that the nodes of this session's results were read from.
func (s *sources) Table() *syntax.Table { return s.table }

// Weight returns how many bytes of text this session and those that it shares the
// table with have registered: it grows with every version of a file.
func (s *sources) Weight() int64 { return s.cache.weight.Load() }

// Files returns the snapshot.
func (s *sources) Files() *vfs.Snapshot { return s.files }

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
	documents map[*vfs.File]*documents
	embedded  map[*yaml.Node]*documents

	kustomizations map[*vfs.File]*kustomizationFile
	inStrings      fieldpath.Memory     // of documents in strings
	remote         map[string]*vfs.File // by URL
	// checkers has a *render.Checker for each that looks whether resources can be
	// printed: its memory is for all of them.
	checkers sync.Pool
}

// standardConfig is kustomize's own transformer configuration as it is once it was
// merged into an empty one.
func (p *parsed) standardConfig() *kustomization.TransformerConfig {
	p.standardOnce.Do(func() {
		p.standard, _ = (&kustomization.TransformerConfig{}).Merge(kustomization.DefaultTransformerConfig())
	})
	return p.standard
}

// documents are the resources of one text, and the mistakes in it.
type documents struct {
	once     parallel.Once
	file     text.FileID
	nodes    []*yaml.Node
	problems []syntax.Problem

	// operations are the same text read as a JSON6902 patch, once that was wanted.
	operationsOnce parallel.Once
	operations     *operations
}

// FileID returns the session's name for a file's text.
func (s *sources) FileID(f *vfs.File) text.FileID {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	if id, ok := s.cache.ids[f]; ok {
		return id
	}
	if s.cache.ids == nil {
		s.cache.ids, s.cache.versions = map[*vfs.File]text.FileID{}, map[string][]*vfs.File{}
	}
	id, added := text.FileID(0), true
	if before := s.cache.versions[f.Path]; len(before) > 0 {
		id, added = s.table.AddVersion(s.cache.ids[before[len(before)-1]], f.Data)
	} else {
		id = s.table.Add(f.Path, f.Data)
	}
	if added {
		s.cache.weight.Add(int64(len(f.Data)))
	}
	s.cache.ids[f] = id
	s.cache.supersede(f)
	return id
}

// documentsOf returns the resources of a file; the nodes are the session's and
// must be copied before they are changed.
func (s *sources) documentsOf(f *vfs.File) *documents {
	s.cache.mu.Lock()
	d, ok := s.cache.documents[f]
	if !ok {
		d = &documents{}
		if s.cache.documents == nil {
			s.cache.documents = map[*vfs.File]*documents{}
		}
		s.cache.documents[f] = d
	}
	s.cache.mu.Unlock()
	d.once.Do(func() {
		d.file = s.FileID(f)
		d.nodes, d.problems = syntax.ReadDocuments(s.table, d.file)
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
		maps.DeleteFunc(p.embedded, func(host *yaml.Node, _ *documents) bool {
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
func (s *sources) AddEmbedded(host *yaml.Node, value string) text.FileID {
	key := embedding{host.Line, host.Column, value}
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	if id, ok := s.cache.places[key]; ok && host.Line != 0 {
		return id
	}
	s.cache.weight.Add(int64(2*len(value) + sourceWeight))
	id := s.table.AddEmbedded(host, value)
	if s.cache.places == nil {
		s.cache.places = map[embedding]text.FileID{}
	}
	s.cache.places[key] = id
	return id
}

// sourceWeight is about what the table takes for a text besides the text.
const sourceWeight = 512

// remoteFile returns a file for the contents of a URL: the one that it returned
// before, as long as they are the same.
func (s *sources) remoteFile(url string, data []byte) *vfs.File {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	if f, ok := s.cache.remote[url]; ok && bytes.Equal(f.Data, data) {
		return f
	}
	if s.cache.remote == nil {
		s.cache.remote = map[string]*vfs.File{}
	}
	f := &vfs.File{Path: url, Data: data}
	s.cache.remote[url] = f
	return f
}

// documentsIn returns the resources in a text that stands in a scalar.
func (s *sources) documentsIn(host *yaml.Node, value string) *documents {
	s.cache.mu.Lock()
	d, ok := s.cache.embedded[host]
	if !ok {
		d = &documents{}
		if s.cache.embedded == nil {
			s.cache.embedded = map[*yaml.Node]*documents{}
		}
		s.cache.embedded[host] = d
	}
	s.cache.mu.Unlock()
	d.once.Do(func() {
		d.file = s.AddEmbedded(host, value)
		d.nodes, d.problems = syntax.ReadDocuments(s.table, d.file)
	})
	return d
}

// withLast returns the same documents with another last one.
func (d *documents) withLast(n *yaml.Node) *documents {
	nodes := slices.Clone(d.nodes)
	nodes[len(nodes)-1] = n
	return &documents{file: d.file, nodes: nodes, problems: d.problems}
}

// refused tells whether kustomize would refuse the text.
func (d *documents) refused() bool {
	for _, p := range d.problems {
		if refuses(p) {
			return true
		}
	}
	return false
}
