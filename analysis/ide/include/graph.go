package include

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/graph"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Graph returns what the kustomizations in and below a folder include; of the one
// in the folder of a file where the path is no folder, and of all where it is empty.
// Names are relative to base, an absolute path.
func Graph(ctx context.Context, v *workspace.View, path, base string) (*graph.Graph, error) {
	roots, err := rootsAt(ctx, v, path)
	if err != nil {
		return nil, err
	}
	isDir, err := v.Files().IsDir(path)
	isFile := err == nil && !isDir
	var asked []*workspace.Root
	for _, r := range workspace.SortedRoots(roots) {
		dir := r.Dir
		if path == "" || isFile && dir == filepath.Dir(path) || !isFile && vfs.Below(path, dir) {
			asked = append(asked, r)
		}
	}
	checked, report, err := v.CheckRoots(ctx, asked)
	if err != nil {
		return nil, err
	}
	c := graph.NewCollector(v.Session(), base)
	err = parallel.Do(ctx, len(checked), func(ctx context.Context, i int) error {
		result, err := v.Trace(ctx, checked[i].Current())
		c.Add(checked[i].Dir, result)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.Graph(report), nil
}

func rootsAt(ctx context.Context, v *workspace.View, path string) (map[string]*workspace.Root, error) {
	if path == "" {
		return v.Roots(ctx)
	}
	return v.RootsFor(ctx, path)
}
