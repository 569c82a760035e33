package load

import (
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Objects returns the resources in a file, as a build would read them. Their nodes are
// the session's: they must be copied before they are changed.
func (s *Sources) Objects(f *vfs.File) []*resource.Resource {
	docs := s.DocumentsOf(f)
	objects := make([]*resource.Resource, len(docs.Nodes))
	for i, n := range docs.Nodes {
		objects[i] = SharedResource(n, nil)
		objects[i].Named = syntax.Lookup(n, "metadata", "name")
	}
	return objects
}

// Kustomization returns what a kustomization file says; nobody may change it.
func (s *Sources) Kustomization(f *vfs.File) *kustomization.Kustomization {
	return s.KustomizationOf(f).Kustomization
}

// NodeSpan returns where a node stands in the file that it was written in, up through
// the documents that it is embedded in; the file is zero for a node that was not read.
func (s *Sources) NodeSpan(n *yaml.Node) (file text.FileID, path string, span text.Span) {
	id, own := syntax.NodeSpan(s.table, n)
	return s.table.Resolve(id, own)
}
