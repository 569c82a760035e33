package build

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// parsed keeps what was parsed of each version of a file. A *vfs.File is one
// immutable content, so the pointer is the key.
type parsed struct {
	weight atomic.Int64 // bytes of text in the table

	standardOnce sync.Once
	standard     *kustomization.TransformerConfig

	mu        sync.Mutex
	ids       map[*vfs.File]text.FileID
	documents map[*vfs.File]*documents
	embedded  map[*yaml.Node]*documents

	kustomizations map[*vfs.File]*kustomizationFile
	inStrings      fieldpath.Memory     // of documents in strings
	remote         map[string]*vfs.File // by URL
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
	once     sync.Once
	file     text.FileID
	nodes    []*yaml.Node
	problems []syntax.Problem
}

// FileID returns the session's name for a file's text.
func (s *Session) FileID(f *vfs.File) text.FileID {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	if id, ok := s.cache.ids[f]; ok {
		return id
	}
	if s.cache.ids == nil {
		s.cache.ids = map[*vfs.File]text.FileID{}
	}
	id := s.table.Add(f.Path, f.Data)
	s.cache.weight.Add(int64(len(f.Data)))
	s.cache.ids[f] = id
	return id
}

// documentsOf returns the resources of a file; the nodes are the session's and
// must be copied before they are changed.
func (s *Session) documentsOf(f *vfs.File) *documents {
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

// addEmbedded registers the text of a document in a scalar.
func (s *Session) addEmbedded(host *yaml.Node, value string) text.FileID {
	s.cache.weight.Add(int64(len(value) + sourceWeight))
	return s.table.AddEmbedded(host, value)
}

// sourceWeight is about what the table takes for a text besides the text.
const sourceWeight = 512

// remoteFile returns a file for the contents of a URL: the one that it returned
// before, as long as they are the same.
func (s *Session) remoteFile(url string, data []byte) *vfs.File {
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
func (s *Session) documentsIn(host *yaml.Node, value string) *documents {
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
		d.file = s.addEmbedded(host, value)
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
