package analysis

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Target is a folder with a kustomization file.
type Target struct {
	// Dir is an absolute path.
	Dir string
	// Component is true where the file says that it is a component.
	Component bool
}

// fluxGroup begins the apiVersion of Flux's objects of kind Kustomization.
const fluxGroup = "kustomize.toolkit.fluxcd.io/"

// toolFolders hold copies that tools made, which nobody edits. Other hidden
// folders are looked into: people keep deployments in .argocd and .k8s.
var toolFolders = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".jj": true,
	".terraform": true, ".terragrunt-cache": true, ".direnv": true,
	".cache": true, ".venv": true, ".tox": true, ".gradle": true, ".m2": true, ".npm": true, ".yarn": true,
	"node_modules": true,
}

// IsToolFolder tells whether a folder of that name is left out where kustomizations
// are looked for.
func IsToolFolder(name string) bool { return toolFolders[name] }

// Discover finds the kustomizations in the folder and below it, sorted by folder.
// The path is absolute; that of a kustomization file stands for its folder alone.
// Folders of version control, package managers and caches are left out, unless
// the path itself leads there; symbolic links to folders are not followed. What
// cannot be read is passed over, except the path itself.
func Discover(ctx context.Context, files *vfs.Snapshot, path string) ([]Target, error) {
	path = filepath.Clean(path)
	isDir, err := files.IsDir(path)
	if err != nil {
		return nil, err
	}
	if !isDir {
		target, ok := targetIn(files, filepath.Dir(path), []string{filepath.Base(path)})
		if !ok {
			return nil, &fs.PathError{Op: "check", Path: path, Err: errors.New("neither a folder nor a kustomization file")}
		}
		return []Target{target}, nil
	}
	if _, err := files.ReadDir(path); err != nil {
		return nil, err
	}
	var targets []Target
	if err := walk(ctx, files, path, &targets); err != nil {
		return nil, err
	}
	slices.SortFunc(targets, func(a, b Target) int { return cmp.Compare(a.Dir, b.Dir) })
	return targets, nil
}

func walk(ctx context.Context, files *vfs.Snapshot, dir string, targets *[]Target) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := files.ReadDir(dir)
	if err != nil {
		return nil // what nobody may read, no build reads either
	}
	var names []string
	for _, e := range entries {
		switch {
		case !e.IsDir():
			names = append(names, e.Name())
		case !toolFolders[e.Name()]:
			if err := walk(ctx, files, filepath.Join(dir, e.Name()), targets); err != nil {
				return err
			}
		}
	}
	if t, ok := targetIn(files, dir, names); ok {
		*targets = append(*targets, t)
	}
	return nil
}

// targetIn looks for a kustomization among the files of a folder.
func targetIn(files *vfs.Snapshot, dir string, names []string) (Target, bool) {
	t := Target{Dir: dir}
	found := false
	for _, name := range kustomization.FileNames() {
		path := filepath.Join(dir, name)
		if !slices.Contains(names, name) || isFolder(files, path) {
			continue
		}
		kind, apiVersion := header(files, path)
		if strings.HasPrefix(apiVersion, fluxGroup) {
			continue
		}
		found = true
		t.Component = t.Component || kind == kustomization.KindComponent
	}
	return t, found
}

func isFolder(files *vfs.Snapshot, path string) bool {
	dir, err := files.IsDir(path)
	return err == nil && dir
}

// header returns what the first document of a file says that it is, as far as
// that can be read.
func header(files *vfs.Snapshot, path string) (kind, apiVersion string) {
	f, err := files.ReadFile(path)
	if err != nil {
		return "", ""
	}
	table := syntax.NewTable()
	parsed := syntax.Parse(table, table.Add(path, f.Data))
	if len(parsed.Documents) == 0 {
		return "", ""
	}
	root := parsed.Documents[0].Root
	if _, n := syntax.Field(root, "kind"); n != nil {
		kind = n.Value
	}
	if _, n := syntax.Field(root, "apiVersion"); n != nil {
		apiVersion = n.Value
	}
	return kind, apiVersion
}
