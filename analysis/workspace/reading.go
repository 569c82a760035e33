package workspace

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Readers returns the roots nearest to a file whose builds read it, the nearest first
// and at most so many, and how many roots read it in all. It builds only the roots that
// it returns: the others are counted by what they read when they were built last.
func (v *View) Readers(ctx context.Context, file string, limit int) (nearest []*Root, all int, err error) {
	candidates, err := v.RootsReading(ctx, file)
	if err != nil {
		return nil, 0, err
	}
	all = len(candidates)
	for _, r := range candidates {
		if len(nearest) == limit {
			break
		}
		b, err := v.Build(ctx, r)
		if err != nil {
			return nil, 0, err
		}
		if b.Reads.Has(file) {
			nearest = append(nearest, r)
		} else {
			all--
		}
	}
	return nearest, all, nil
}

// RootsReading returns the roots that read one of the files, the nearest to the first
// file first, without building any: by what each root read when it was built last. A
// root that was never built, or whose kustomizations changed since, is among them where
// its kustomizations name one of the files.
func (v *View) RootsReading(ctx context.Context, files ...string) ([]*Root, error) {
	roots, err := v.RootsFor(ctx, files...)
	if err != nil {
		return nil, err
	}
	isRoot := func(r *Root) bool { return !r.Component }
	reading, err := v.reading(ctx, roots, isRoot, &naming{view: v, files: files, known: map[string]bool{}})
	if err == nil && len(reading) == 0 {
		reading, err = v.reading(ctx, roots, isRoot, &naming{view: v, files: files, known: map[string]bool{}, resolves: true})
	}
	slices.SortStableFunc(reading, func(a, b *Root) int { return cmp.Compare(distance(a, files[0]), distance(b, files[0])) })
	return reading, err
}

// componentsAlone returns the components that no root includes, and that read one of the
// files as RootsReading has it.
func (v *View) componentsAlone(ctx context.Context, files ...string) ([]*Root, error) {
	roots, err := v.RootsFor(ctx, files...)
	if err != nil {
		return nil, err
	}
	isComponent := func(r *Root) bool { return r.Component }
	components, err := v.reading(ctx, roots, isComponent, &naming{view: v, files: files, known: map[string]bool{}})
	if err != nil {
		return nil, err
	}
	var alone []*Root
	for _, r := range components {
		file, _ := v.FileAt(r.Dir)
		includers, err := v.RootsReading(ctx, v.RealPath(file))
		if err != nil {
			return nil, err
		}
		if len(includers) == 0 {
			alone = append(alone, r)
		}
	}
	return alone, nil
}

// reading returns those of the roots of a sort that read the files of names.
func (v *View) reading(ctx context.Context, roots map[string]*Root, sort func(*Root) bool, names *naming) ([]*Root, error) {
	var reading []*Root
	for _, r := range SortedRoots(roots) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		known := r.lastOutcome()
		switch {
		case !sort(r):
		case known != nil && slices.ContainsFunc(names.files, known.Reads.Has), r.Current() == nil && names.mayRead(r.Dir, 0):
			reading = append(reading, r)
		}
	}
	return reading, nil
}

// NamedPaths returns the files and folders that a kustomization file names.
func (v *View) NamedPaths(file string) []string { return Shared[namedIndex](v).in(v.files, file).paths }

// LastReads returns the files that a root read when it was built last; false for never.
func (r *Root) LastReads() ([]string, bool) {
	if last := r.lastOutcome(); last != nil {
		return last.Reads.Files(), true
	}
	return nil, false
}

// Configuring returns the roots in which files configure transformers or generators, as far
// as that is known without building any, for a question about some files (see RootsFor).
func (v *View) Configuring(ctx context.Context, files ...string) ([]*Root, error) {
	roots, err := v.RootsFor(ctx, files...)
	if err != nil {
		return nil, err
	}
	names := &naming{view: v, known: map[string]bool{}}
	return slices.DeleteFunc(SortedRoots(roots), func(r *Root) bool { return r.Current() == nil && !names.mayRead(r.Dir, 0) }), nil
}

// naming finds out which kustomizations name a file, themselves or through what they
// include, by their text alone.
type naming struct {
	view  *View
	files []string
	// resolves is true where links are looked up, which needs the disk.
	resolves bool
	known    map[string]bool // by folder
}

// maxNesting is how deep kustomizations are followed: links may lead back to themselves.
const maxNesting = 100

// mayRead tells whether the build of a folder can read one of the files. It is true
// where only a build tells, such as for the configurations of transformers.
func (n *naming) mayRead(dir string, depth int) bool {
	if may, known := n.known[dir]; known || depth > maxNesting {
		return may
	}
	n.known[dir] = false // for a folder that includes itself
	n.known[dir] = n.lookAt(dir, depth)
	return n.known[dir]
}

func (n *naming) lookAt(dir string, depth int) bool {
	if n.view.isBeingRead(dir) {
		return false // as far as is known, see RootsFor
	}
	file, ok := n.view.FileAt(dir)
	switch {
	case !ok || !IsKustomization(file):
		return false
	case slices.Contains(n.files, file):
		return true
	}
	named := Shared[namedIndex](n.view).in(n.view.files, file)
	return named.uncertain || slices.ContainsFunc(named.paths, func(path string) bool {
		return slices.Contains(n.files, path) || n.resolves && slices.Contains(n.files, n.view.RealPath(path)) || n.mayRead(path, depth+1)
	})
}

// namedIndex keeps what the last version of each kustomization file names; views that
// follow on each other share it.
type namedIndex struct {
	mutex sync.Mutex
	files map[string]*namedPaths // by the kustomization file
}

// namedPaths are the files and folders that a kustomization file names.
type namedPaths struct {
	of    *vfs.File
	paths []string // absolute
	// uncertain is true where it names others through what it configures.
	uncertain bool
}

// in returns what a kustomization file names; nothing for one that cannot be read.
func (x *namedIndex) in(files *vfs.Snapshot, file string) *namedPaths {
	f, err := files.ReadFile(file)
	if err != nil {
		return &namedPaths{}
	}
	if last := x.last(file); last != nil && last.of == f {
		return last
	}
	named := namedBy(f)
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.files == nil {
		x.files = map[string]*namedPaths{}
	}
	x.files[file] = named
	return named
}

func (x *namedIndex) last(file string) *namedPaths {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	return x.files[file]
}

func namedBy(f *vfs.File) *namedPaths {
	named := &namedPaths{of: f}
	table := syntax.NewTable()
	documents := syntax.Parse(table, table.Add(f.Path, f.Data)).Documents
	if len(documents) == 0 {
		return named
	}
	root := documents[0].Root
	EachPathField(root, func(n *yaml.Node, field *kustomization.Field) {
		if _, target, ok := NamedPath(f.Path, n, field); ok {
			named.paths = append(named.paths, target)
		}
	})
	for _, field := range []string{"generators", "transformers", "validators", "helmCharts", "helmChartInflationGenerator"} {
		_, value := syntax.Field(root, field)
		named.uncertain = named.uncertain || value != nil
	}
	return named
}
