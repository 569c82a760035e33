package ide

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
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

// observe builds a root up to a moment of the first layer that is wanted, and shows
// what is loaded by then.
func (v *View) observe(ctx context.Context, root, file string, moment builder.Moment, wanted func(*builder.Layer) bool, look func(*builder.Loaded)) error {
	building, stop := context.WithCancel(ctx)
	defer stop()
	seen := false
	options := v.options.Of(root)
	options.Observed = file
	options.Observer = func(at builder.Moment, loaded *builder.Loaded) {
		if at == moment && !seen && wanted(loaded.Layer) {
			seen = true
			look(loaded)
			stop()
		}
	}
	_, err := v.session.Build(building, root, options)
	if building.Err() != nil {
		return ctx.Err()
	}
	return err
}

// observable returns the folder of the root to look into for a file; empty for none.
func (v *View) observable(ctx context.Context, file string) (string, error) {
	roots, err := v.roots(ctx)
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(file)
	own := roots[dir]
	if isKustomizationName(file) && (own == nil || !own.target.Component) {
		return dir, nil
	}
	var readers []*root
	known := true
	for _, r := range sortedRoots(roots) {
		if r.target.Component {
			continue
		}
		reads, ok := r.lastReads()
		known = known && ok
		if ok && reads.Has(file) {
			readers = append(readers, r)
		}
	}
	if len(readers) > 0 {
		nearest := slices.MinFunc(readers, func(a, b *root) int {
			return cmp.Or(distance(a, file)-distance(b, file), cmp.Compare(a.target.Dir, b.target.Dir))
		})
		return nearest.target.Dir, nil
	}
	switch {
	case known && own != nil:
		return dir, nil
	case known:
		return "", nil
	}
	used, err := v.use(ctx, file)
	if err != nil || used == nil {
		return "", err
	}
	return used.built.root.target.Dir, nil
}

// lastReads is what the root read when it was last built; false for never.
func (r *root) lastReads() (*vfs.Reads, bool) {
	known := r.known()
	if known == nil {
		return nil, false
	}
	return known.reads, true
}
