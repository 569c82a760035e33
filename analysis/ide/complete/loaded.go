package complete

import (
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	yaml "go.yaml.in/yaml/v3"
)

// loaded shows what is loaded at a moment of the first layer that uses the file, in
// the root that shows best what the file does.
func (c *completer) loaded(moment builder.Moment, look func(*builder.Loaded)) {
	if c.err != nil {
		return
	}
	q := workspace.LoadedQuery{File: c.file, Moment: moment, Wanted: c.wanted, Broken: c.slot.Repaired}
	if q.Wanted == nil {
		q.Wanted = func(l *builder.Layer) bool { return l.Path == c.file }
		q.Earlier = workspace.EarlierFields(c.root(), moment)
	}
	c.err = c.view.Loaded(c.ctx, q, look)
}

// root is that of the file's own tree.
func (c *completer) root() *yaml.Node {
	if c.host != nil {
		return c.host.Root
	}
	return c.slot.Root
}
