package structure

import (
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/workspace"
)

// Format returns the edits that lay a kustomization file out as kustomize edit does,
// with its comments. There are none for other files, which other tools format, and
// for one that is broken or written in a form that is better left alone.
func Format(v *workspace.View, file string) []analysis.FileEdit {
	if !workspace.IsKustomization(file) {
		return nil
	}
	content, err := v.Files().ReadFile(file)
	if err != nil {
		return nil
	}
	f, reason := edit.Open(file, content.Data)
	if reason != "" {
		return nil
	}
	formatted, reason := f.Format()
	if reason != "" {
		return nil
	}
	return workspace.Replacing(file, content.Data, formatted)
}
