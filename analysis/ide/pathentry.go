package ide

import (
	"context"
	"path/filepath"
	"strings"

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
	w := &pathWalk{file: file}
	for _, d := range v.Session().Tree(f).Documents {
		w.mapping(d.Root, kustomization.Fields())
		break // kustomize reads no other
	}
	return w.entries
}

type pathWalk struct {
	file    string
	entries []pathEntry
}

func (w *pathWalk) mapping(n *yaml.Node, fields *kustomization.Struct) {
	if n == nil || n.Kind != yaml.MappingNode || fields == nil {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		field, _ := fields.Field(n.Content[i].Value)
		if field == nil {
			continue
		}
		values := []*yaml.Node{n.Content[i+1]}
		if values[0].Kind == yaml.SequenceNode {
			values = values[0].Content
		}
		for _, value := range values {
			if !field.Path {
				w.mapping(value, field.Struct)
			} else if e, ok := newPathEntry(w.file, value, field); ok {
				w.entries = append(w.entries, e)
			}
		}
	}
}

// newPathEntry reads a value of a field that names files; false for one that names
// none here, such as a URL or a patch that stands there itself.
func newPathEntry(file string, n *yaml.Node, field *kustomization.Field) (pathEntry, bool) {
	if n == nil || n.Kind != yaml.ScalarNode {
		return pathEntry{}, false
	}
	e := pathEntry{file: file, node: n, part: cursor.Whole(n), base: filepath.Dir(file)}
	if field.Name == "files" {
		if at := strings.IndexByte(n.Value, '='); at >= 0 {
			e.part.Start = at + 1
		} else {
			e.gives = filepath.Base(filepath.FromSlash(n.Value))
		}
	}
	path := e.path()
	if path == "" || strings.ContainsAny(path, "\n:") {
		return pathEntry{}, false
	}
	e.target = filepath.FromSlash(path)
	if !filepath.IsAbs(e.target) {
		e.target = filepath.Join(e.base, e.target)
	}
	return e, true
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
