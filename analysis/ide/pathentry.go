package ide

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// pathEntry is a value of a kustomization file that names a file or folder.
type pathEntry struct {
	file string     // that it stands in
	node *yaml.Node // the scalar
	part text.Span  // the bytes of its text that are the path
	base string     // the folder that the path is relative to
	// target is what it names: an absolute path, as the entry says it.
	target string
	// gives is the key that the path gives by its last name; empty where it gives none.
	gives string
}

// path returns the path as it is written.
func (e pathEntry) path() string { return e.node.Value[e.part.Start:e.part.End] }

// pathEntries returns the paths in the kustomization files that were found.
func pathEntries(ctx context.Context, v *workspace.View) ([]pathEntry, error) {
	roots, err := v.Roots(ctx)
	if err != nil {
		return nil, err
	}
	var entries []pathEntry
	for _, r := range workspace.SortedRoots(roots) {
		if file, ok := v.FileAt(r.Dir); ok {
			entries = append(entries, pathEntriesIn(v, file)...)
		}
	}
	return entries, ctx.Err()
}

// pathEntriesIn returns the paths in one kustomization file, in its order.
func pathEntriesIn(v *workspace.View, file string) []pathEntry {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil
	}
	var entries []pathEntry
	for _, d := range v.Session().Tree(f).Documents {
		workspace.EachPathField(d.Root, func(n *yaml.Node, field *kustomization.Field) {
			if e, ok := newPathEntry(file, n, field); ok {
				entries = append(entries, e)
			}
		})
		break // kustomize reads no other
	}
	return entries
}

// newPathEntry reads a value of a field that names files; false for one that names
// none here, such as a URL or a patch that stands there itself.
func newPathEntry(file string, n *yaml.Node, field *kustomization.Field) (pathEntry, bool) {
	part, target, ok := workspace.NamedPath(file, n, field)
	e := pathEntry{file: file, node: n, part: part, base: filepath.Dir(file), target: target}
	if ok && field.Name == "files" && part.Start == 0 {
		e.gives = filepath.Base(filepath.FromSlash(n.Value))
	}
	return e, ok
}

// pathEntryAt returns the path that the cursor is in.
func pathEntryAt(v *workspace.View, c cursor.Cursor) (pathEntry, bool) {
	n := c.Scalar()
	if n == nil || !c.IsKustomization() {
		return pathEntry{}, false
	}
	f := c.Field(kustomization.Fields())
	if f == nil || !f.Path {
		return pathEntry{}, false
	}
	e, ok := newPathEntry(c.File, n, f)
	return e, ok
}

// pathPlace returns where the path is written.
func pathPlace(v *workspace.View, e pathEntry) (analysis.Place, bool) {
	return cursor.PartPlace(v.Session().Table(), e.node, e.part)
}
