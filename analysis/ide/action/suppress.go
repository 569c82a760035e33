package action

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// unsuppressed are rules that no comment is offered for: what they say is not a
// matter of opinion, or is about comments and configuration itself.
var unsuppressed = []string{"syntax-error", analysis.InternalError, analysis.InvalidConfiguration, analysis.UnusedSuppression}

// suppressActions offers to have a comment say that a diagnostic is known.
func suppressActions(ctx context.Context, s *scene) ([]*Action, error) {
	if extension := filepath.Ext(s.File); extension != ".yaml" && extension != ".yml" && !workspace.IsKustomization(s.File) {
		return nil, nil // no comments there, or others
	}
	diagnostics, err := s.diagnostics(ctx)
	if err != nil {
		return nil, err
	}
	var actions []*Action
	for _, d := range diagnostics {
		if slices.Contains(unsuppressed, d.Rule) {
			continue
		}
		edit, whole := analysis.Suppress(d.Place, s.content, d.Rule)
		title := fmt.Sprintf("Suppress %s here", d.Rule)
		if whole {
			title = fmt.Sprintf("Suppress %s in this file", d.Rule)
		}
		actions = append(actions, &Action{
			ID:    fmt.Sprintf("suppress %s %d", d.Rule, d.Span.Start),
			Title: title,
			Kind:  QuickFix,
			Mends: &d,
			make:  fixedEdit(&workspace.Edit{Edits: []analysis.FileEdit{edit}}),
		})
	}
	return actions, nil
}
