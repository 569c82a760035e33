package affected

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// reader reads kustomization files, and nothing that they name: a tenth of the
// work of a build, and enough to know which files a build would look at.
type reader struct {
	files  *vfs.Snapshot
	layers map[string]*layer // by folder, without symbolic links
	// asking has for every path the layers that look at it or at something below.
	asking map[string][]*layer
}

// layer is a folder that somebody takes for a kustomization.
type layer struct {
	dir      string
	found    bool // it has a kustomization file
	kind     string
	includes []*layer
	// trees are folders that are read by other programs.
	trees []string
	// uncertain is true where only a build tells what is read.
	uncertain bool

	asked map[string]bool
	// folders are those of the files that it names; astray is true where it may look
	// at others.
	folders map[string]bool
	astray  bool
}

func newReader(files *vfs.Snapshot) *reader {
	return &reader{files: files, layers: map[string]*layer{}, asking: map[string][]*layer{}}
}

// discover returns the folders of the roots at or below a folder, and reads them.
func (r *reader) discover(ctx context.Context, dir string) ([]string, error) {
	targets, err := analysis.Discover(ctx, r.files, dir)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, t := range targets {
		if !t.Component {
			dirs = append(dirs, t.Dir)
			r.read(t.Dir)
		}
	}
	return dirs, ctx.Err()
}

// isRoot tells whether the folder has a kustomization that is no component.
func (r *reader) isRoot(dir string) bool {
	l := r.read(dir)
	return l.found && l.kind != kustomization.KindComponent
}

// closure returns the layer and all that it includes.
func (l *layer) closure() []*layer {
	seen := map[*layer]bool{l: true}
	all := []*layer{l}
	for i := 0; i < len(all); i++ {
		for _, included := range all[i].includes {
			if !seen[included] {
				seen[included] = true
				all = append(all, included)
			}
		}
	}
	return all
}

// read reads the kustomization in a folder and, on the way, those it includes.
func (r *reader) read(dir string) *layer {
	if l, ok := r.layers[dir]; ok {
		return l
	}
	l := &layer{dir: dir, asked: map[string]bool{}, folders: map[string]bool{dir: true}}
	r.layers[dir] = l
	for _, name := range kustomization.FileNames() {
		path := filepath.Join(dir, name)
		r.ask(l, path)
		if isDir, err := r.files.IsDir(path); err != nil || isDir {
			continue
		}
		if f, err := r.files.ReadFile(path); err == nil && !l.found {
			l.found = true
			if real, err := r.files.EvalSymlinks(path); err == nil {
				l.folders[filepath.Dir(real)] = true
			}
			r.readFields(l, f)
		}
	}
	return l
}

func (r *reader) readFields(l *layer, f *vfs.File) {
	table := syntax.NewTable()
	parsed := syntax.Parse(table, table.Add(f.Path, f.Data))
	if len(parsed.Documents) == 0 {
		return
	}
	k, _ := kustomization.Read(parsed.Documents[0].Root)
	l.kind = k.Kind.Value
	for _, list := range [][]kustomization.Text{k.Resources, k.Components} {
		for _, t := range list {
			r.include(l, t.Value)
		}
	}
	for _, list := range [][]kustomization.Text{k.Generators, k.Transformers, k.Validators} {
		for _, t := range list {
			l.uncertain = true // the configurations name files of their own
			if !isInline(t.Value) {
				r.include(l, t.Value)
			}
		}
	}
	for _, path := range namedFiles(k) {
		if path != "" && !isInline(path) {
			r.name(l, path)
		}
	}
	r.readCharts(l, k)
}

// readCharts notes the folders that helm would read.
func (r *reader) readCharts(l *layer, k *kustomization.Kustomization) {
	home := "charts" // types.HelmDefaultHome
	if k.HelmGlobals != nil && k.HelmGlobals.ChartHome.Value != "" {
		home = k.HelmGlobals.ChartHome.Value
	}
	for _, c := range k.HelmCharts {
		chart := join(l.dir, filepath.Join(home, c.Name.Value))
		r.ask(l, chart)
		l.trees = append(l.trees, chart)
	}
}

// namedFiles returns the files that a kustomization names besides its resources.
func namedFiles(k *kustomization.Kustomization) []string {
	var paths []string
	texts := func(list []kustomization.Text) {
		for _, t := range list {
			paths = append(paths, t.Value)
		}
	}
	texts(k.Crds)
	texts(k.Configurations)
	texts(k.PatchesStrategicMerge)
	for _, p := range append(k.Patches[:len(k.Patches):len(k.Patches)], k.PatchesJSON6902...) {
		paths = append(paths, p.Path.Value)
	}
	for _, p := range k.OpenAPI {
		paths = append(paths, p.Value.Value)
	}
	for _, x := range k.Replacements {
		paths = append(paths, x.Path.Value)
	}
	for _, g := range append(k.ConfigMapGenerator[:len(k.ConfigMapGenerator):len(k.ConfigMapGenerator)], k.SecretGenerator...) {
		texts(g.Envs)
		for _, t := range g.Files {
			// "path" or "key=path"
			_, path, keyed := strings.Cut(t.Value, "=")
			if !keyed {
				path = t.Value
			}
			paths = append(paths, path)
		}
	}
	for _, c := range k.HelmCharts {
		paths = append(paths, c.ValuesFile.Value)
		texts(c.AdditionalValuesFiles)
	}
	return paths
}

// include notes an entry that names a file or a kustomization.
func (r *reader) include(l *layer, path string) {
	if isInline(path) {
		l.uncertain = true
		return
	}
	if _, remote := gitrepo.Parse(path); remote || strings.Contains(path, "://") {
		l.astray = true
		return
	}
	real, isDir, err := r.name(l, path)
	switch {
	case err != nil:
		// Nothing is there. Once it is, this may be a kustomization.
		for _, name := range kustomization.FileNames() {
			r.ask(l, filepath.Join(join(l.dir, path), name))
		}
	case isDir:
		l.includes = append(l.includes, r.read(real))
	}
}

// name notes a path that an entry names, by the name that stands there and by
// what it leads to.
func (r *reader) name(l *layer, path string) (real string, isDir bool, err error) {
	full := join(l.dir, path)
	r.ask(l, full)
	if real, err = r.files.EvalSymlinks(full); err != nil {
		l.astray = true // a build goes on with what was probably meant
		return "", false, err
	}
	if real != full {
		r.ask(l, real)
	}
	if isDir, err = r.files.IsDir(real); err != nil || !isDir {
		l.folders[filepath.Dir(full)], l.folders[filepath.Dir(real)] = true, true
	}
	return real, isDir, err
}

// ask notes that a layer looks at a path, and so at the folders above it.
func (r *reader) ask(l *layer, path string) {
	for !l.asked[path] {
		l.asked[path] = true
		r.asking[path] = append(r.asking[path], l)
		path = filepath.Dir(path)
	}
}

// isInline tells whether an entry is a document and no path.
func isInline(text string) bool { return strings.Contains(text, "\n") }

func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func below(dir, path string) bool { return vfs.Below(dir, path) }
