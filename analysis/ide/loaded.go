package ide

import (
	"github.com/kustomize-lsp/kls/engine/builder"
	yaml "go.yaml.in/yaml/v3"
)

// loaded shows what is loaded at a moment of the first layer that uses the file, in
// the root that shows best what the file does.
func (c *completer) loaded(moment builder.Moment, look func(*builder.Loaded)) {
	if c.err != nil {
		return
	}
	q := loadedQuery{file: c.file, moment: moment, wanted: c.wanted, broken: c.slot.Repaired}
	if q.wanted == nil {
		q.wanted = func(l *builder.Layer) bool { return l.Path == c.file }
		q.earlier = earlierFields(c.root(), moment)
	}
	c.err = c.view.loaded(c.ctx, q, look)
}

// root is that of the file's own tree.
func (c *completer) root() *yaml.Node {
	if c.host != nil {
		return c.host.Root
	}
	return c.slot.Root
}
