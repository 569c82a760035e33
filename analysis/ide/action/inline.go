package action

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// inlineActions offers to put the patch of a file into the entry that names it, at the
// entry and in the file.
func inlineActions(ctx context.Context, s *scene) ([]*Action, error) {
	owner, p, err := s.inlinable(ctx)
	if err != nil || p == nil || p.Path == "" {
		return nil, err
	}
	title := "Move the patch into " + s.view.PathFromFolder(owner)
	if owner == s.File {
		title = "Move the patch of " + p.Path + " here"
	}
	return []*Action{{
		ID:    "inline",
		Title: title,
		Kind:  RefactorInline,
		Costs: true,
		make:  func(ctx context.Context) (*workspace.Edit, string, error) { return s.inline(ctx, owner, p) },
	}}, nil
}

// inlinable returns the entry at the selection, or the only one that names the file.
func (s *scene) inlinable(ctx context.Context) (owner string, p *edit.PatchEntry, err error) {
	if workspace.IsKustomization(s.File) {
		return s.File, s.patchEntry(), nil
	}
	used, err := s.view.Scope(ctx, s.File)
	if err != nil || used == nil {
		return "", nil, err
	}
	for _, l := range used.Layers(s.File) {
		for _, input := range l.Facts.Inputs {
			if input.Path == s.File && l.Path != owner && owner != "" {
				return "", nil, nil // two kustomizations name it
			}
			if input.Path == s.File {
				owner = l.Path
			}
		}
	}
	if owner == "" {
		return "", nil, nil
	}
	content, err := s.view.Files().ReadFile(owner)
	if err != nil {
		return "", nil, nil // it was there a moment ago
	}
	f, reason := edit.Open(owner, content.Data)
	if reason != "" {
		return "", nil, nil
	}
	for _, entry := range f.PatchEntries() {
		if entry.Path != "" && s.view.RealPath(filepath.Join(filepath.Dir(owner), filepath.FromSlash(entry.Path))) == s.File {
			if p != nil {
				return "", nil, nil // two entries name it
			}
			p = entry
		}
	}
	return owner, p, nil
}

func (s *scene) inline(ctx context.Context, owner string, p *edit.PatchEntry) (*workspace.Edit, string, error) {
	file := s.view.RealPath(filepath.Join(filepath.Dir(owner), filepath.FromSlash(p.Path)))
	content, err := s.view.Files().ReadFile(file)
	if err != nil {
		return nil, p.Path + " cannot be read", nil
	}
	edits, reason := p.Inline(content.Data)
	if reason != "" {
		return nil, reason, nil
	}
	e := &workspace.Edit{Edits: workspace.InFile(owner, edits)}
	compared, err := sameRender(ctx, s.view, e, true)
	if err != nil || compared.reason != "" {
		return nil, compared.reason, err
	}
	if elsewhere, err := isReadBeside(ctx, s.view, file, owner); err == nil && !elsewhere && !compared.read(file) {
		e.Delete = []string{file}
	}
	return e, "", nil
}

// isReadBeside tells whether a root may read the file that does not read the other.
func isReadBeside(ctx context.Context, v *workspace.View, file, other string) (bool, error) {
	roots, err := v.RootsFor(ctx, file, other)
	if err != nil || !v.IsWhole() {
		return true, err // for all that is known
	}
	return slices.ContainsFunc(workspace.SortedRoots(roots), func(r *workspace.Root) bool {
		b := r.Current()
		return b != nil && b.Reads.Has(file) && !b.Reads.Has(other)
	}), nil
}
