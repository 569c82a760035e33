package cursor

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// PathEntry is a value of a kustomization file that names a file or folder.
type PathEntry struct {
	File string     // that it stands in
	Node *yaml.Node // the scalar
	Part text.Span  // the bytes of its text that are the path
	Base string     // the folder that the path is relative to
	// Target is what it names: an absolute path, as the entry says it.
	Target string
	// Gives is the key that the path gives by its last name; empty where it gives none.
	Gives string
}

// Path returns the path as it is written.
func (e PathEntry) Path() string { return e.Node.Value[e.Part.Start:e.Part.End] }

// PathEntries returns the paths in the kustomization files that were found, for a question about some files
// (see workspace.View.RootsFor).
func PathEntries(ctx context.Context, v *workspace.View, about ...string) ([]PathEntry, error) {
	roots, err := v.RootsFor(ctx, about...)
	if err != nil {
		return nil, err
	}
	var entries []PathEntry
	for _, r := range workspace.SortedRoots(roots) {
		if file, ok := v.FileAt(r.Dir); ok {
			entries = append(entries, PathEntriesIn(v, file)...)
		}
	}
	return entries, ctx.Err()
}

// PathEntriesNaming returns the entries that name a file, or the folder of a kustomization
// file, in the order of the files that they stand in.
func PathEntriesNaming(ctx context.Context, v *workspace.View, target string) ([]PathEntry, error) {
	entries, err := PathEntries(ctx, v, target)
	wanted := []string{target}
	if workspace.IsKustomization(target) {
		wanted = append(wanted, filepath.Dir(target))
	} else if file, ok := v.FileAt(target); ok {
		wanted = append(wanted, file)
	}
	return slices.DeleteFunc(entries, func(e PathEntry) bool {
		return !slices.Contains(wanted, e.Target) && !slices.Contains(wanted, v.RealPath(e.Target))
	}), err
}

// PathEntriesIn returns the paths in one kustomization file, in its order.
func PathEntriesIn(v *workspace.View, file string) []PathEntry {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil
	}
	var entries []PathEntry
	for _, d := range v.Session().Tree(f).Documents {
		workspace.EachPathField(d.Root, func(n *yaml.Node, field *kustomization.Field) {
			if e, ok := NewPathEntry(file, n, field); ok {
				entries = append(entries, e)
			}
		})
		break // kustomize reads no other
	}
	return entries
}

// NewPathEntry reads a value of a field that names files; false for one that names
// none here, such as a URL or a patch that stands there itself.
func NewPathEntry(file string, n *yaml.Node, field *kustomization.Field) (PathEntry, bool) {
	part, target, ok := workspace.NamedPath(file, n, field)
	e := PathEntry{File: file, Node: n, Part: part, Base: filepath.Dir(file), Target: target}
	if ok && field.Name == "files" && part.Start == 0 {
		e.Gives = filepath.Base(filepath.FromSlash(n.Value))
	}
	return e, ok
}

// PathEntryAt returns the path that the cursor is in.
func PathEntryAt(v *workspace.View, c Cursor) (PathEntry, bool) {
	n := c.Scalar()
	if n == nil || !c.IsKustomization() {
		return PathEntry{}, false
	}
	f := c.Field(kustomization.Fields())
	if f == nil || !f.Path {
		return PathEntry{}, false
	}
	e, ok := NewPathEntry(c.File, n, f)
	return e, ok
}

// PathPlace returns where the path is written.
func PathPlace(v *workspace.View, e PathEntry) (analysis.Place, bool) {
	return PartPlace(v.Session().Table(), e.Node, e.Part)
}
