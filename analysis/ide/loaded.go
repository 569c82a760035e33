package ide

import (
	"github.com/kustomize-lsp/kls/engine/builder"
	yaml "go.yaml.in/yaml/v3"
)

// loaded shows what is loaded at a moment of the first layer that uses the file, in
// the root that shows best what the file does. The view's own build of the root, with
// all its rules, is not waited for.
func (c *completer) loaded(moment builder.Moment, look func(*builder.Loaded)) {
	if c.err != nil {
		return
	}
	root, err := c.view.observable(c.ctx, c.file)
	if err != nil || root == "" {
		c.err = err
		return
	}
	key := loadedKey{file: c.file, root: root}
	wanted := c.wanted
	if wanted == nil {
		wanted = func(l *builder.Layer) bool { return l.Path == c.file }
		key.earlier = earlierFields(c.root(), moment)
	}
	key.broken = c.slot.Repaired
	c.err = c.view.lastLoaded.show(c.view, moment, key, func(keep func(*builder.Loaded)) error {
		return c.view.observe(c.ctx, root, c.file, moment, wanted, keep)
	}, look)
}

// root is that of the file's own tree.
func (c *completer) root() *yaml.Node {
	if c.host != nil {
		return c.host.Root
	}
	return c.slot.Root
}
