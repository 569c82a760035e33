package workspace

import (
	"context"
	"math"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Scope is a file in a build: what the questions about a position are asked of.
type Scope struct {
	View   *View
	Build  *Build
	Result *builder.Result
	// Others is how many more roots use the file.
	Others int
}

// Scope returns the build that shows best what a file does: that of its own folder
// for a kustomization, else that of the nearest root that reads the file. Nil
// means that no root does.
func (v *View) Scope(ctx context.Context, file string) (*Scope, error) {
	roots, err := v.RootsFor(ctx, file)
	if err != nil {
		return nil, err
	}
	own := roots[filepath.Dir(file)]
	if own != nil && !own.Component && IsKustomization(file) {
		return v.ScopeIn(ctx, own, 0)
	}
	nearest, all, err := v.Readers(ctx, file, 1)
	if err != nil {
		return nil, err
	}
	switch {
	case len(nearest) > 0:
		return v.ScopeIn(ctx, nearest[0], all-1)
	case own != nil:
		return v.ScopeIn(ctx, own, 0)
	}
	return nil, nil
}

// distance is how many folders lie between a root and a file below it; for a file
// elsewhere it is large.
func distance(r *Root, file string) int {
	if !vfs.Below(r.Dir, file) {
		return 1 << 20
	}
	steps := 0
	for dir := filepath.Dir(file); dir != r.Dir && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		steps++
	}
	return steps
}

func (v *View) ScopeIn(ctx context.Context, r *Root, others int) (*Scope, error) {
	b, err := v.Build(ctx, r)
	if err != nil {
		return nil, err
	}
	result, err := v.Trace(ctx, b)
	if err != nil || result == nil {
		return nil, err
	}
	return &Scope{v, b, result, others}, nil
}

// LastScope returns the build that a root had before the last changes, as long as it is kept. It is nil where a file changed
// that the root read, but for those of which mayChange is true.
func (v *View) LastScope(r *Root, mayChange map[string]bool) *Scope {
	b := r.lastBuild()
	if b == nil {
		return nil
	}
	b.mutex.Lock()
	result, files := b.result, b.files
	b.mutex.Unlock()
	if result == nil || slices.ContainsFunc(b.Reads.Files(), func(path string) bool {
		if mayChange[path] {
			return false
		}
		before, _ := files.ReadFile(path)
		now, _ := v.files.ReadFile(path)
		return before != now
	}) {
		return nil
	}
	return &Scope{v, b, result, 0}
}

// Layers returns the layers whose kustomization is the file, and all layers where
// it is no kustomization.
func (u *Scope) Layers(file string) []*builder.Layer {
	all := Layers(u.Result)
	if !IsKustomization(file) {
		return all
	}
	return slices.DeleteFunc(all, func(l *builder.Layer) bool { return l.Path != file })
}

// RootFor returns the folder of the root that shows best what a file, or a folder,
// does: its own, else that of the nearest root that reads it. False means that no
// root does.
func (v *View) RootFor(ctx context.Context, path string) (dir string, ok bool, err error) {
	roots, err := v.RootsFor(ctx, path)
	if err != nil {
		return "", false, err
	}
	own := roots[path]
	if own == nil {
		own = roots[filepath.Dir(path)]
	}
	if own != nil && !own.Component {
		return own.Dir, true, nil
	}
	nearest, _, err := v.Readers(ctx, path, 1)
	switch {
	case err != nil:
		return "", false, err
	case len(nearest) > 0:
		return nearest[0].Dir, true, nil
	case own != nil:
		return own.Dir, true, nil
	}
	return "", false, nil
}

// AllScopes, as a limit, is for all builds that there are.
const AllScopes = math.MaxInt

// ScopesOf returns the builds that read one of the files, those nearest to the first one
// first and at most so many: of roots, and of the components that none of them includes.
func (v *View) ScopesOf(ctx context.Context, limit int, files ...string) ([]*Scope, error) {
	reading, err := v.RootsReading(ctx, files...)
	if err != nil {
		return nil, err
	}
	alone, err := v.componentsAlone(ctx, files...)
	if err != nil {
		return nil, err
	}
	reading = append(reading, alone...)
	if limit == AllScopes {
		err = v.CheckAll(ctx, reading) // several at a time
	}
	if err != nil {
		return nil, err
	}
	var scopes []*Scope
	for _, r := range reading {
		if len(scopes) == limit {
			break
		}
		b, err := v.Build(ctx, r)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(files, b.Reads.Has) {
			continue
		}
		s, err := v.ScopeIn(ctx, r, 0)
		if err != nil {
			return nil, err
		}
		if s != nil {
			scopes = append(scopes, s)
		}
	}
	return scopes, nil
}

// IsKnown tells whether a root was seen to read the file. Nothing is built.
func (v *View) IsKnown(ctx context.Context, file string) (bool, error) {
	roots, err := v.RootsFor(ctx, file)
	for _, r := range roots {
		if known := r.lastOutcome(); known != nil && known.Reads.Has(file) {
			return true, nil
		}
	}
	return false, err
}

// Place returns where a node was written, in a file on disk.
func (u *Scope) Place(n *yaml.Node) (analysis.Place, bool) {
	table := u.Build.Session().Table()
	id, span := syntax.NodeSpan(table, n)
	root, path, span := table.Resolve(id, span)
	if root == 0 {
		return analysis.Place{}, false
	}
	return analysis.Place{File: path, Span: span}, true
}

// SameNode tells whether two nodes were read from the same place: two builds, and
// two parses, of one text give different nodes.
func SameNode(a, b *yaml.Node) bool {
	return a != nil && b != nil && a.Kind == b.Kind && a.Line == b.Line && a.Column == b.Column && a.Line != 0
}
