package include

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/graph"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Graph returns what the kustomizations in and below a folder include; of the one
// in the folder of a file where the path is no folder, and of all where it is empty.
// Names are relative to base, an absolute path.
func Graph(ctx context.Context, v *workspace.View, path, base string) (*graph.Graph, error) {
	roots, err := v.Roots(ctx)
	if err != nil {
		return nil, err
	}
	isDir, err := v.Files().IsDir(path)
	isFile := err == nil && !isDir
	var targets []analysis.Target
	for _, r := range workspace.SortedRoots(roots) {
		dir := r.Dir
		if path == "" || isFile && dir == filepath.Dir(path) || !isFile && vfs.Below(path, dir) {
			targets = append(targets, r.Target)
		}
	}
	return graph.Make(ctx, v.Session(), targets, graph.Options{Base: base, Check: v.Options()})
}
