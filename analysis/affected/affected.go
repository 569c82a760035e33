// Package affected tells which roots render differently because of a change: by
// the files that their kustomizations name, or exactly, by rendering both sides.
// It is handed the two sides as sessions and knows nothing of version control.
package affected

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// Change says what became of a root.
type Change string

const (
	// Changed: it renders differently or, by the graph alone, may do so.
	Changed Change = "changed"
	// Added: it was no root before.
	Added Change = "added"
	// Removed: it is no root any more.
	Removed Change = "removed"
	// Possible: something of it changed, and what it renders is not known on both
	// sides, because it fails there or needs what is switched off.
	Possible Change = "possible"
)

// File is a file or folder that changed.
type File struct {
	// Path is absolute and without symbolic links in its folders.
	Path string
	// Added is true where it was not there before, Removed where it is not any more.
	Added, Removed bool
}

// Side is one of the two states of the files.
type Side struct {
	Session *builder.Session
	// Options returns the options of the build of a root; nil for the zero value.
	Options func(dir string) builder.Options
}

func (s Side) options(dir string) builder.Options {
	if s.Options == nil {
		return builder.Options{}
	}
	return s.Options(dir)
}

// Request is a question.
type Request struct {
	// Dir is the folder at or below which roots are looked for: absolute, without
	// symbolic links.
	Dir   string
	Files []File
	Now   Side
	// Before opens the other side. It is called at most once, and only where
	// Exact is set or a kustomization file was removed; nil where there is none.
	Before func() (Side, error)
	// Exact asks to render both sides; it needs Before.
	Exact bool
}

// Root is a root that is affected.
type Root struct {
	// Dir is an absolute path.
	Dir    string
	Change Change
	// Files are the paths among those of the request that it depends on, sorted.
	Files []string
}

// Find returns the affected roots, sorted by folder. By the graph alone no root
// that renders differently is left out, as far as files decide what it renders;
// one whose rendering stays the same may be among them. The error is for
// cancellation and IO.
func Find(ctx context.Context, request Request) ([]Root, error) {
	f := finder{request: request, now: newReader(request.Now.Session.Files())}
	roots, err := f.touched(ctx)
	if err != nil {
		return nil, err
	}
	removed, err := f.removed()
	if err != nil {
		return nil, err
	}
	roots = append(roots, removed...)
	if request.Exact {
		if roots, err = f.render(ctx, roots); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(roots, func(a, b Root) int { return strings.Compare(a.Dir, b.Dir) })
	return roots, nil
}

type finder struct {
	request Request
	now     *reader
	before  *Side
}

func (f *finder) openBefore() (Side, error) {
	if f.before == nil {
		side, err := f.request.Before()
		if err != nil {
			return Side{}, err
		}
		f.before = &side
	}
	return *f.before, nil
}

// touched returns the roots that are there now and depend on a changed file.
func (f *finder) touched(ctx context.Context) ([]Root, error) {
	dirs, err := f.now.discover(ctx, f.request.Dir)
	if err != nil {
		return nil, err
	}
	byLayer := map[*layer][]string{}
	for _, file := range f.request.Files {
		for _, l := range f.now.asking[file.Path] {
			byLayer[l] = append(byLayer[l], file.Path)
		}
	}
	var roots []Root
	for _, dir := range dirs {
		paths, err := f.pathsOf(ctx, f.now.read(dir), byLayer)
		if err != nil {
			return nil, err
		}
		if len(paths) > 0 {
			roots = append(roots, Root{Dir: dir, Change: f.changeOf(dir), Files: paths})
		}
	}
	return roots, nil
}

// pathsOf returns the changed files that a root depends on.
func (f *finder) pathsOf(ctx context.Context, root *layer, byLayer map[*layer][]string) ([]string, error) {
	var paths []string
	uncertain := false
	for _, l := range root.closure() {
		paths = append(paths, byLayer[l]...)
		uncertain = uncertain || l.uncertain
		for _, tree := range l.trees {
			paths = append(paths, f.below(tree)...)
		}
	}
	if uncertain {
		more, err := f.readsOf(ctx, root)
		if err != nil {
			return nil, err
		}
		paths = append(paths, more...)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// readsOf builds a root that has configurations of plugins, which may name more
// files, and returns the changed ones that the build looks at. A plugin that is no
// part of kustomize reads what it likes: of its kustomization's folder, most likely.
func (f *finder) readsOf(ctx context.Context, root *layer) ([]string, error) {
	options := f.request.Now.options(root.dir)
	result, err := f.request.Now.Session.Build(ctx, root.dir, options)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, file := range f.request.Files {
		if result.Reads.Touches(file.Path) {
			paths = append(paths, file.Path)
		}
	}
	for _, l := range root.closure() {
		if l.uncertain && (result.Unknown || result.Failed() || options.Outside != nil) {
			paths = append(paths, f.below(l.dir)...)
		}
	}
	return paths, nil
}

// below returns the changed files in a folder; they are sorted by path.
func (f *finder) below(dir string) []string {
	var paths []string
	for _, file := range f.request.Files {
		if below(dir, file.Path) || below(file.Path, dir) {
			paths = append(paths, file.Path)
		}
	}
	return paths
}

// changeOf tells a new root from an old one by its kustomization files: it is new
// where they are, and no other was there before.
func (f *finder) changeOf(dir string) Change {
	change := Changed
	for _, file := range f.request.Files {
		if filepath.Dir(file.Path) != dir || !isKustomizationFile(file.Path) {
			continue
		}
		if !file.Added {
			return Changed
		}
		change = Added
	}
	return change
}

// removed returns the roots that are no roots any more.
func (f *finder) removed() ([]Root, error) {
	var roots []Root
	for _, file := range f.request.Files {
		dir := filepath.Dir(file.Path)
		if file.Added || !isKustomizationFile(file.Path) || !below(f.request.Dir, dir) || f.request.Before == nil || f.now.isRoot(dir) {
			continue
		}
		before, err := f.openBefore()
		if err != nil {
			return nil, err
		}
		if newReader(before.Session.Files()).isRoot(dir) {
			roots = append(roots, Root{Dir: dir, Change: Removed, Files: []string{file.Path}})
		}
	}
	return slices.CompactFunc(roots, func(a, b Root) bool { return a.Dir == b.Dir }), nil
}

func isKustomizationFile(path string) bool {
	return slices.Contains(kustomization.FileNames(), filepath.Base(path))
}
