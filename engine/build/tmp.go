package build

import (
	"github.com/kustomize-lsp/kls/engine/patch"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

type tmpDoc struct{ Root *yaml.Node }
type tmpFile struct {
	Documents []tmpDoc
	Problems  []syntax.Problem
}

func tmpParse(t *syntax.Table, id text.FileID) tmpFile {
	var n yaml.Node
	if err := yaml.Unmarshal(t.Source(id).Text(), &n); err != nil {
		return tmpFile{Problems: []syntax.Problem{{Kind: syntax.Malformed, File: id, Detail: err.Error(), Refused: true}}}
	}
	if len(n.Content) == 0 {
		return tmpFile{}
	}
	var walk func(*yaml.Node)
	walk = func(n *yaml.Node) {
		syntax.SetPlace(n, id, n.Line, n.Column)
		for _, c := range n.Content {
			walk(c)
		}
	}
	walk(&n)
	return tmpFile{Documents: []tmpDoc{{n.Content[0]}}}
}

func tmpJSON(n *yaml.Node, ops []patch.Operation) (*yaml.Node, *int) { one := 1; return nil, &one }
func (b *builder) reportOperation(l *Layer, e patchEntry, r *resource.Resource, f *int) {
	b.report(l, Problem{Code: PatchFails, Fatal: true, Node: e.node, Message: "JSON6902 not there yet"})
}
