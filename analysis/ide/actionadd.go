package ide

import (
	"context"
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

// addActions offers, in a file with resources that nothing includes, to include it in
// the nearest kustomization.
func addActions(ctx context.Context, s *actionScene) ([]*Action, error) {
	if IsKustomization(s.File) || !hasObjects(s.content) {
		return nil, nil
	}
	dir, ok := FolderOf(s.view.files, s.File)
	if !ok {
		return nil, nil
	}
	path, reason := edit.Find(s.view.files, dir)
	if reason != "" {
		return nil, nil
	}
	if used, err := s.view.isRead(ctx, s.File); used || err != nil {
		return nil, err
	}
	return []*Action{{
		ID:    "add",
		Title: "Add to the resources of " + s.view.shown(path),
		Kind:  RefactorRewrite,
		make:  func(context.Context) (*Edit, string, error) { return s.addTo(path) },
	}}, nil
}

func (s *actionScene) addTo(path string) (*Edit, string, error) {
	content, err := s.view.files.ReadFile(path)
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
	return &Edit{Edits: inFile(path, edits)}, reason, nil
}

// isRead tells whether a build looks at a file.
func (v *View) isRead(ctx context.Context, file string) (bool, error) {
	roots, err := v.roots(ctx)
	if err != nil {
		return false, err
	}
	for _, r := range sortedRoots(roots) {
		b, err := v.build(ctx, r)
		if err != nil {
			return false, err
		}
		if b.reads.Has(file) {
			return true, nil
		}
	}
	return false, nil
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
func (v *View) objectFiles(dir string) []string {
	entries, err := v.files.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries[:min(len(entries), addableFiles)] {
		if extension := filepath.Ext(e.Name()); e.IsDir() || extension != ".yaml" && extension != ".yml" || IsKustomization(e.Name()) {
			continue
		}
		if f, err := v.files.ReadFile(filepath.Join(dir, e.Name())); err == nil && hasObjects(f.Data) {
			names = append(names, e.Name())
		}
	}
	return names
}
