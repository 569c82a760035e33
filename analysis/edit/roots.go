package edit

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Tree knows which kustomizations at or below a folder include which.
type Tree struct {
	components map[string]bool
	includers  map[string][]string // by folder, without symbolic links
}

// ReadTree reads the kustomization files at or below a folder, an absolute path.
func ReadTree(ctx context.Context, files *vfs.Snapshot, folder string) (*Tree, error) {
	targets, err := analysis.Discover(ctx, files, folder)
	if err != nil {
		return nil, err
	}
	t := &Tree{components: map[string]bool{}, includers: map[string][]string{}}
	for _, target := range targets {
		dir := realPath(files, target.Dir)
		t.components[dir] = target.Component
		for _, included := range includedBy(files, dir) {
			t.includers[included] = append(t.includers[included], dir)
		}
	}
	return t, nil
}

// Roots returns the folder itself and those that include it, directly or not,
// sorted and without components, which are built inside of others only.
func (t *Tree) Roots(dir string) []string {
	seen := map[string]bool{dir: true}
	queue := []string{dir}
	var roots []string
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !t.components[next] {
			roots = append(roots, next)
		}
		for _, includer := range t.includers[next] {
			if !seen[includer] {
				seen[includer] = true
				queue = append(queue, includer)
			}
		}
	}
	slices.Sort(roots)
	return roots
}

// includedBy returns the folders that a kustomization names, as far as they exist.
func includedBy(files *vfs.Snapshot, dir string) []string {
	path, reason := Find(files, dir)
	if reason != "" {
		return nil
	}
	k := readFile(files, path)
	var dirs []string
	for _, list := range [][]kustomization.Text{k.Resources, k.Components, k.Generators, k.Transformers, k.Validators} {
		for _, t := range list {
			named := filepath.Join(dir, t.Value)
			if filepath.IsAbs(t.Value) {
				named = filepath.Clean(t.Value)
			}
			if isDir, err := files.IsDir(named); err == nil && isDir {
				dirs = append(dirs, realPath(files, named))
			}
		}
	}
	return dirs
}

// Find returns the path of a folder's kustomization file. The reason says that there
// is none, or more than one, with which kustomize does not build.
func Find(files *vfs.Snapshot, dir string) (path, reason string) {
	for _, name := range kustomization.FileNames() {
		candidate := filepath.Join(dir, name)
		isDir, err := files.IsDir(candidate)
		switch {
		case err != nil || isDir:
		case path != "":
			return "", "there are several kustomization files: " + filepath.Base(path) + " and " + name
		default:
			path = candidate
		}
	}
	if path == "" {
		return "", "there is no kustomization file"
	}
	return path, ""
}

// readFile reads what it can of a kustomization file.
func readFile(files *vfs.Snapshot, path string) *kustomization.Kustomization {
	none, _ := kustomization.Read(nil)
	f, err := files.ReadFile(path)
	if err != nil {
		return none
	}
	table := syntax.NewTable()
	parsed := syntax.Parse(table, table.Add(path, f.Data))
	if len(parsed.Documents) == 0 {
		return none
	}
	k, _ := kustomization.Read(parsed.Documents[0].Root)
	return k
}

func realPath(files *vfs.Snapshot, dir string) string {
	if real, err := files.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}
