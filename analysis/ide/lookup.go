package ide

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// use is a file in a build: what the questions about a position are asked of.
type use struct {
	view   *View
	built  *built
	result *builder.Result
	// others is how many more roots use the file.
	others int
}

// use returns the build that shows best what a file does: that of its own folder
// for a kustomization, else that of the nearest root that reads the file. Nil
// means that no root does.
func (v *View) use(ctx context.Context, file string) (*use, error) {
	roots, err := v.roots(ctx)
	if err != nil {
		return nil, err
	}
	own := roots[filepath.Dir(file)]
	if own != nil && !own.Component && IsKustomization(file) {
		return v.useIn(ctx, own, 0)
	}
	readers, err := v.readers(ctx, file)
	if err != nil {
		return nil, err
	}
	switch {
	case len(readers) > 0:
		return v.useIn(ctx, readers[0], len(readers)-1)
	case own != nil:
		return v.useIn(ctx, own, 0)
	}
	return nil, nil
}

// readers returns the roots whose builds read the file, the nearest first.
func (v *View) readers(ctx context.Context, file string) ([]*root, error) {
	roots, err := v.roots(ctx)
	if err != nil {
		return nil, err
	}
	var readers []*root
	for _, r := range sortedRoots(roots) {
		if r.Component {
			continue
		}
		b, err := v.build(ctx, r)
		if err != nil {
			return nil, err
		}
		if b.reads.Has(file) {
			readers = append(readers, r)
		}
	}
	slices.SortStableFunc(readers, func(a, b *root) int { return cmp.Compare(distance(a, file), distance(b, file)) })
	return readers, nil
}

// distance is how many folders lie between a root and a file below it; for a file
// elsewhere it is large.
func distance(r *root, file string) int {
	if !vfs.Below(r.Dir, file) {
		return 1 << 20
	}
	steps := 0
	for dir := filepath.Dir(file); dir != r.Dir && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		steps++
	}
	return steps
}

func (v *View) useIn(ctx context.Context, r *root, others int) (*use, error) {
	b, err := v.build(ctx, r)
	if err != nil {
		return nil, err
	}
	result, err := v.trace(ctx, b)
	if err != nil || result == nil {
		return nil, err
	}
	return &use{v, b, result, others}, nil
}

// layers returns the layers whose kustomization is the file, and all layers where
// it is no kustomization.
func (u *use) layers(file string) []*builder.Layer {
	all := layersOf(u.result)
	if !IsKustomization(file) {
		return all
	}
	return slices.DeleteFunc(all, func(l *builder.Layer) bool { return l.Path != file })
}

// RootFor returns the folder of the root that shows best what a file, or a folder,
// does: its own, else that of the nearest root that reads it. False means that no
// root does.
func (v *View) RootFor(ctx context.Context, path string) (dir string, ok bool, err error) {
	roots, err := v.roots(ctx)
	if err != nil {
		return "", false, err
	}
	own := roots[path]
	if own == nil {
		own = roots[filepath.Dir(path)]
	}
	if own != nil && !own.Component {
		return own.Dir, true, nil
	}
	readers, err := v.readers(ctx, path)
	switch {
	case err != nil:
		return "", false, err
	case len(readers) > 0:
		return readers[0].Dir, true, nil
	case own != nil:
		return own.Dir, true, nil
	}
	return "", false, nil
}

// readersOf returns the roots whose builds read one of the files, and the components that
// none of the roots includes.
func (v *View) readersOf(ctx context.Context, files ...string) ([]*root, error) {
	byDir, err := v.roots(ctx)
	if err != nil {
		return nil, err
	}
	var roots, components []*root
	for _, r := range sortedRoots(byDir) {
		if r.Component {
			components = append(components, r)
		} else {
			roots = append(roots, r)
		}
	}
	if err := v.checkAll(ctx, roots); err != nil {
		return nil, err
	}
	alone := v.notIncluded(components, roots)
	if err := v.checkAll(ctx, alone); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(append(roots, alone...), func(r *root) bool {
		b := r.current()
		return b == nil || !slices.ContainsFunc(files, b.reads.Has)
	}), nil
}

// usesOf returns the builds that read one of the files, see readersOf.
func (v *View) usesOf(ctx context.Context, files ...string) ([]*use, error) {
	readers, err := v.readersOf(ctx, files...)
	if err != nil {
		return nil, err
	}
	var uses []*use
	for _, r := range readers {
		u, err := v.useIn(ctx, r, 0)
		if err != nil {
			return nil, err
		}
		if u != nil {
			uses = append(uses, u)
		}
	}
	return uses, nil
}

// isKnown tells whether a root was seen to read the file. Nothing is built.
func (v *View) isKnown(ctx context.Context, file string) (bool, error) {
	roots, err := v.roots(ctx)
	for _, r := range roots {
		if known := r.known(); known != nil && known.reads.Has(file) {
			return true, nil
		}
	}
	return false, err
}
