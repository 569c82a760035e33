package affected

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Targets returns what is to be checked because of changed files: the roots at or below a
// folder that look at them, and the components whose own files are among them, since a
// component that a root includes is checked in there. A changed configuration concerns all
// that is below it. The targets are looked for among the files.
func Targets(ctx context.Context, files *vfs.Snapshot, request Request) ([]analysis.Target, error) {
	roots, err := Find(ctx, request)
	if err != nil {
		return nil, err
	}
	reading := map[string]bool{}
	for _, r := range roots {
		reading[r.Dir] = r.Change != Removed
	}
	all, err := analysis.Discover(ctx, files, request.Dir)
	return slices.DeleteFunc(all, func(t analysis.Target) bool {
		return !reading[t.Dir] && !slices.ContainsFunc(request.Files, func(f File) bool { return concerns(f.Path, t) })
	}), err
}

// concerns tells whether a file concerns a target that need not read it.
func concerns(path string, t analysis.Target) bool {
	dir := filepath.Dir(path)
	return t.Component && vfs.Below(t.Dir, dir) || filepath.Base(path) == config.FileName && vfs.Below(dir, t.Dir)
}
