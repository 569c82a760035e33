package action

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/syntax"
)

// extractActions offers to put a patch into a file of its own.
func extractActions(_ context.Context, s *scene) ([]*Action, error) {
	p := s.patchEntry()
	if p == nil || p.Text == "" {
		return nil, nil
	}
	return []*Action{{
		ID:    "extract",
		Title: "Move the patch into a file",
		Kind:  RefactorExtract,
		Costs: true,
		make:  func(ctx context.Context) (*workspace.Edit, string, error) { return s.extract(ctx, p) },
	}}, nil
}

// patchEntry returns the entry with a patch that the selection begins in.
func (s *scene) patchEntry() *edit.PatchEntry {
	if !workspace.IsKustomization(s.File) {
		return nil
	}
	if !s.taken {
		s.taken = true
		if f, reason := edit.Open(s.File, s.content); reason == "" {
			s.patch = f.PatchAt(s.Span.Start)
		}
	}
	return s.patch
}

func (s *scene) extract(ctx context.Context, p *edit.PatchEntry) (*workspace.Edit, string, error) {
	name, ok := s.newPatchFile(p)
	if !ok {
		return nil, "there are too many files of that name", nil
	}
	edits, content, reason := p.Extract(name)
	if reason != "" {
		return nil, reason, nil
	}
	e := &workspace.Edit{
		Create: []workspace.NewFile{{Path: filepath.Join(filepath.Dir(s.File), filepath.FromSlash(name)), Text: content}},
		Edits:  workspace.InFile(s.File, edits),
	}
	compared, err := sameRender(ctx, s.view, e, true)
	return e, compared.reason, err
}

// newPatchFile finds a name for a patch, where other patches of the kustomization are.
func (s *scene) newPatchFile(p *edit.PatchEntry) (name string, ok bool) {
	folder := ""
	if f, reason := edit.Open(s.File, s.content); reason == "" {
		for _, other := range f.PatchEntries() {
			if inside := path.Dir(filepath.ToSlash(other.Path)); other.Path != "" && filepath.IsLocal(other.Path) {
				folder = inside
				break
			}
		}
	}
	stem := patchStem(p)
	for i := 1; i < 100; i++ {
		name = path.Join(folder, stem+".yaml")
		if i > 1 {
			name = path.Join(folder, fmt.Sprintf("%s-%d.yaml", stem, i))
		}
		if _, err := s.view.Files().IsDir(filepath.Join(filepath.Dir(s.File), filepath.FromSlash(name))); err != nil {
			return name, true
		}
	}
	return "", false
}

// patchStem names a patch after what it changes: deployment-web-patch.
func patchStem(p *edit.PatchEntry) string {
	var o object
	if p.Target != nil {
		o.kind, o.name = p.Target.Kind.Value, p.Target.Name.Value
	}
	table := syntax.NewTable()
	if documents := syntax.Parse(table, table.Add("", []byte(p.Text))).Documents; len(documents) > 0 {
		if n := syntax.Lookup(documents[0].Root, "kind"); n != nil {
			o.kind = n.Value
		}
		if n := syntax.Lookup(documents[0].Root, "metadata", "name"); n != nil {
			o.name = n.Value
		}
	}
	var words []string
	for _, word := range []string{o.kind, o.name, "patch"} {
		if word = strings.Trim(strings.Map(nameRune, strings.ToLower(word)), "-."); word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, "-")
}
