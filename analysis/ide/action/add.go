package action

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

// addActions offers, in a file with resources that nothing includes, to include it in
// the nearest kustomization.
func addActions(ctx context.Context, s *scene) ([]*Action, error) {
	if workspace.IsKustomization(s.File) || !hasObjects(s.content) {
		return nil, nil
	}
	dir, ok := workspace.FolderOf(s.view.Files(), s.File)
	if !ok {
		return nil, nil
	}
	path, reason := edit.Find(s.view.Files(), dir)
	if reason != "" {
		return nil, nil
	}
	if used, err := isRead(ctx, s.view, s.File); used || err != nil {
		return nil, err
	}
	return []*Action{{
		ID:    "add",
		Title: "Add to the resources of " + s.view.PathFromFolder(path),
		Kind:  RefactorRewrite,
		make:  func(context.Context) (*workspace.Edit, string, error) { return s.addTo(path) },
	}}, nil
}

func (s *scene) addTo(path string) (*workspace.Edit, string, error) {
	content, err := s.view.Files().ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	f, reason := edit.Open(path, content.Data)
	if reason != "" {
		return nil, reason, nil
	}
	entry, err := filepath.Rel(filepath.Dir(path), s.File)
	if err != nil {
		return nil, "", err
	}
	edits, reason := f.AddEntry("resources", filepath.ToSlash(entry))
	return &workspace.Edit{Edits: workspace.InFile(path, edits)}, reason, nil
}

// isRead tells whether a build looks at a file.
func isRead(ctx context.Context, v *workspace.View, file string) (bool, error) {
	uses, err := v.ScopesOf(ctx, 1, file)
	return len(uses) > 0, err
}

// hasObjects tells whether a text is YAML with a Kubernetes object in it.
func hasObjects(content []byte) bool {
	table := syntax.NewTable()
	for _, d := range syntax.Parse(table, table.Add("", content)).Documents {
		_, kind := syntax.Field(d.Root, "kind")
		_, version := syntax.Field(d.Root, "apiVersion")
		if kind != nil && version != nil && kind.Value != "" && version.Value != "" {
			return true
		}
	}
	return false
}

// addableFiles bounds how many files of a folder are read for objects.
const addableFiles = 200

// objectFiles returns the names of the files of a folder that have Kubernetes objects.
func objectFiles(v *workspace.View, dir string) []string {
	entries, err := v.Files().ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries[:min(len(entries), addableFiles)] {
		if extension := filepath.Ext(e.Name()); e.IsDir() || extension != ".yaml" && extension != ".yml" || workspace.IsKustomization(e.Name()) {
			continue
		}
		if f, err := v.Files().ReadFile(filepath.Join(dir, e.Name())); err == nil && hasObjects(f.Data) {
			names = append(names, e.Name())
		}
	}
	return names
}
