package action

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// deprecatedField is the rule of the diagnostics that a conversion does away with.
const deprecatedField = "deprecated-field"

// migrateActions offers to write a deprecated field as the one that replaces it, where
// every build stays the same.
func migrateActions(ctx context.Context, s *scene) ([]*Action, error) {
	if !workspace.IsKustomization(s.File) {
		return nil, nil
	}
	here, err := s.diagnostics(ctx)
	if err != nil || !slices.ContainsFunc(here, isDeprecation) {
		return nil, err
	}
	var actions []*Action
	for _, d := range here {
		if !isDeprecation(d) {
			continue
		}
		field, by := s.conversionAt(d)
		if by == "" {
			continue
		}
		actions = append(actions, &Action{
			ID:    fmt.Sprintf("migrate %s %d", field, d.Span.Start),
			Title: fmt.Sprintf("Replace %s with %s", field, by),
			Kind:  QuickFix,
			Mends: &d,
			Costs: true,
			make:  func(ctx context.Context) (*workspace.Edit, string, error) { return s.migrate(ctx, field) },
		})
	}
	all, err := s.diagnosticsOfFile(ctx)
	if err != nil || len(slices.DeleteFunc(all, func(d analysis.Diagnostic) bool { return !isDeprecation(d) })) < 2 {
		return actions, err
	}
	return append(actions, &Action{
		ID:    "migrate",
		Title: "Replace all deprecated fields of the file",
		Kind:  RefactorRewrite,
		Costs: true,
		make:  func(ctx context.Context) (*workspace.Edit, string, error) { return s.migrate(ctx, "") },
	}), nil
}

func isDeprecation(d analysis.Diagnostic) bool { return d.Rule == deprecatedField }

// conversionAt returns the deprecated field that a diagnostic is about, and what
// replaces it; nothing where there is no conversion.
func (s *scene) conversionAt(d analysis.Diagnostic) (field, by string) {
	field = string(s.content[d.Span.Start:d.Span.End])
	if known, _ := kustomization.Fields().Field(strings.Trim(field, `"'`)); known != nil {
		field = known.Name
	}
	if field == "vars" {
		return field, "replacements"
	}
	for _, c := range edit.Conversions() {
		if c.Field == field {
			return field, c.By
		}
	}
	return field, ""
}

// migrate converts one deprecated field, or all of them.
func (s *scene) migrate(ctx context.Context, field string) (*workspace.Edit, string, error) {
	fixer, err := edit.NewFixer(ctx, s.view.Files(), s.view.FolderOf(s.File), s.view.Options().Of)
	if err != nil {
		return nil, "", err
	}
	fixer.Only, fixer.Name = field, s.view.PathFromFolder
	fixed, reason, err := fixer.Fix(ctx, filepath.Dir(s.File))
	if err != nil || reason != "" {
		return nil, reason, err
	}
	edits := workspace.Replacing(s.File, fixed.Before, fixed.After)
	if len(edits) > 0 {
		return &workspace.Edit{Edits: edits}, "", nil
	}
	for _, step := range fixed.Steps {
		if step.Skipped != "" {
			return nil, step.Skipped, nil
		}
	}
	return nil, "", nil
}
