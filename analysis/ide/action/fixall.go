package action

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// fixAllActions offers all safe fixes of the file at once, as kls check --fix makes
// them.
func fixAllActions(ctx context.Context, s *scene) ([]*Action, error) {
	if len(s.Only) == 0 {
		return nil, nil // such actions are shown only where somebody asks for them
	}
	diagnostics, err := s.diagnosticsOfFile(ctx)
	if err != nil || !slices.ContainsFunc(diagnostics, hasSafeFix) {
		return nil, err
	}
	return []*Action{{
		ID:    "fixAll",
		Title: "Make all safe fixes",
		Kind:  FixAll,
		Costs: true,
		make:  s.fixAll,
	}}, nil
}

func hasSafeFix(d analysis.Diagnostic) bool {
	return slices.ContainsFunc(d.Fixes, func(f analysis.Fix) bool { return f.Safe })
}

func (s *scene) fixAll(ctx context.Context) (*workspace.Edit, string, error) {
	check := func(ctx context.Context, files *vfs.Snapshot) (*analysis.Report, error) {
		if files == s.view.Files() {
			return reportOn(ctx, s.view, s.File)
		}
		return reportOn(ctx, s.view.Trial(files, s.File), s.File)
	}
	mended, err := analysis.Mend(ctx, s.view.Files(), check, func(path string) bool { return path == s.File }, false)
	if err != nil {
		return nil, "", err
	}
	after, ok := mended.After[s.File]
	if !ok {
		return nil, "a fix would break the build", nil
	}
	return &workspace.Edit{Edits: workspace.Replacing(s.File, s.content, after)}, "", nil
}
