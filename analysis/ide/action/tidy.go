package action

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/rewrite"
	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// tidyActions offer to remove all entries of a kustomization that have no effect, at one of them.
func tidyActions(ctx context.Context, s *scene) ([]*Action, error) {
	if !workspace.IsKustomization(s.File) {
		return nil, nil
	}
	here, err := s.diagnostics(ctx)
	if err != nil || !slices.ContainsFunc(here, hasNoEffect) {
		return nil, err
	}
	return []*Action{{
		ID:    "tidy",
		Title: "Remove what has no effect",
		Kind:  RefactorRewrite,
		Costs: true,
		make:  s.tidy,
	}}, nil
}

// hasNoEffect tells of an entry that no build would be different without, and that is not a slip for another one.
func hasNoEffect(d analysis.Diagnostic) bool {
	return len(d.Fixes) == 0 && (d.Rule == "patch-no-change" || d.Rule == "image-no-match" || d.Rule == "var-unused")
}

// tidy removes the entries together or, where that changes what is rendered, those of them that can go alone.
func (s *scene) tidy(ctx context.Context) (*workspace.Edit, string, error) {
	all, err := s.diagnosticsOfFile(ctx)
	if err != nil {
		return nil, "", err
	}
	var offsets []int
	for _, d := range all {
		if hasNoEffect(d) {
			offsets = append(offsets, d.Span.Start)
		}
	}
	e, compared, err := s.without(ctx, offsets)
	if err != nil || compared.reason == "" {
		return s.withoutUnread(e, compared), compared.reason, err
	}
	var alone []int
	for _, offset := range offsets {
		if _, one, err := s.without(ctx, append(slices.Clone(alone), offset)); err != nil {
			return nil, "", err
		} else if one.reason == "" {
			alone = append(alone, offset)
		}
	}
	if len(alone) == 0 {
		return nil, compared.reason, nil
	}
	e, compared, err = s.without(ctx, alone)
	return s.withoutUnread(e, compared), compared.reason, err
}

// without is the edit that removes the entries at some byte offsets, and what comes of it.
func (s *scene) without(ctx context.Context, offsets []int) (*workspace.Edit, comparison, error) {
	after, ok := rewrite.WithoutEntries(s.content, offsets)
	if !ok {
		return nil, comparison{reason: "it is written in a form that kls cannot rewrite"}, nil
	}
	e := &workspace.Edit{Edits: workspace.Replacing(s.File, s.content, after)}
	compared, err := sameRender(ctx, s.view, e, false)
	return e, compared, err
}

// withoutUnread also deletes the files of patches that nothing reads any more.
func (s *scene) withoutUnread(e *workspace.Edit, compared comparison) *workspace.Edit {
	if e == nil || compared.read == nil {
		return e
	}
	f, reason := edit.Open(s.File, s.content)
	if reason != "" {
		return e
	}
	for _, p := range f.PatchEntries() {
		if p.Path == "" {
			continue
		}
		path := s.view.RealPath(filepath.Join(filepath.Dir(s.File), filepath.FromSlash(p.Path)))
		if !compared.read(path) && !slices.Contains(e.Delete, path) {
			e.Delete = append(e.Delete, path)
		}
	}
	return e
}
