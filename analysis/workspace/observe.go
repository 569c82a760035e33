package workspace

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// LoadedQuery asks what is loaded at a moment of the first layer that is wanted.
type LoadedQuery struct {
	File   string
	Moment builder.Moment
	Wanted func(*builder.Layer) bool
	// Earlier is a hash of what the file says about the steps before the moment.
	Earlier uint64
	// Broken is true where the file could not be read whole.
	Broken bool
}

// Loaded shows what is loaded, in the root that shows best what the file does. The view's
// own build of the root, with all its rules, is not waited for.
func (v *View) Loaded(ctx context.Context, q LoadedQuery, look func(*builder.Loaded)) error {
	root, err := v.observable(ctx, q.File)
	if err != nil || root == "" {
		return err
	}
	key := loadedKey{file: q.File, root: root, earlier: q.Earlier, broken: q.Broken}
	return v.loadedCache.show(v, q.Moment, key, func(keep func(*builder.Loaded)) error {
		return v.observe(ctx, root, q.File, q.Moment, q.Wanted, keep)
	}, look)
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
	roots, err := v.RootsFor(ctx, file)
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(file)
	own := roots[dir]
	if IsKustomization(file) && (own == nil || !own.Component) {
		return dir, nil
	}
	var readers []*Root
	known := true
	for _, r := range SortedRoots(roots) {
		if r.Component {
			continue
		}
		reads, ok := r.lastReads()
		known = known && ok
		if ok && reads.Has(file) {
			readers = append(readers, r)
		}
	}
	if len(readers) > 0 {
		nearest := slices.MinFunc(readers, func(a, b *Root) int {
			return cmp.Or(distance(a, file)-distance(b, file), cmp.Compare(a.Dir, b.Dir))
		})
		return nearest.Dir, nil
	}
	switch {
	case known && own != nil:
		return dir, nil
	case known:
		return "", nil
	}
	used, err := v.Scope(ctx, file)
	if err != nil || used == nil {
		return "", err
	}
	return used.Build.Root.Dir, nil
}

// lastReads is what the root read when it was last built; false for never.
func (r *Root) lastReads() (*vfs.Reads, bool) {
	known := r.lastOutcome()
	if known == nil {
		return nil, false
	}
	return known.Reads, true
}
